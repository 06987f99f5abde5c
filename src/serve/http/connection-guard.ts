import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const MOST_CONNECTIONS = 1_000
/** Connections without a whole request; a page and its agents may well open hundreds at once. */
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
 * a connection whose request is being answered is never closed for that.
 */
export function guardConnections(server: Server): void {
  const waiting = new Set<Socket>()
  const wait = (socket: Socket) => {
    waiting.delete(socket)
    waiting.add(socket)
    const [oldest] = waiting
    if (waiting.size > MOST_WAITING) {
      waiting.delete(oldest as Socket)
      oldest?.destroy()
    }
  }
  server.maxConnections = MOST_CONNECTIONS
  server.on('connection', (socket: Socket) => {
    wait(socket)
    socket.once('close', () => waiting.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (hasBody(request)) request.once('end', () => waiting.delete(socket))
    else waiting.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) wait(socket)
    })
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
