import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const MOST_CONNECTIONS = 1_000
/** Connections that no request is answered on; a page and its agents may well open hundreds at once. */
const MOST_WAITING = 600

/** A client that is slow for longer than this has gone, or means harm. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
} as const

/**
 * Half-open requests cost a socket each. Beyond a number of them the oldest goes, so that a new caller always gets in;
 * one that was answered before goes after all others, and one that is being answered never does.
 */
export function guardConnections(server: Server): void {
  const halfOpen = new Set<Socket>()
  const idle = new Set<Socket>()
  const leave = (socket: Socket) => {
    halfOpen.delete(socket)
    idle.delete(socket)
  }
  const wait = (socket: Socket, among: Set<Socket>) => {
    leave(socket)
    among.add(socket)
    if (halfOpen.size + idle.size <= MOST_WAITING) return
    const [oldest] = halfOpen.size > 0 ? halfOpen : idle
    leave(oldest as Socket)
    oldest?.destroy()
  }
  server.maxConnections = MOST_CONNECTIONS
  server.on('connection', (socket: Socket) => {
    wait(socket, halfOpen)
    socket.once('close', () => leave(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (hasBody(request)) {
      wait(socket, halfOpen)
      request.once('end', () => leave(socket))
    } else leave(socket)
    response.once('close', () => {
      if (!socket.destroyed) wait(socket, idle)
    })
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
