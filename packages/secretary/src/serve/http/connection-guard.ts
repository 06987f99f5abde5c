import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Identity } from '../../identity/authenticator.ts'

/** The system's own limit is a last resort: whoever is refused by it is never told why. */
const MAX_CONNECTIONS = 4_000
/** Connections that no request is answered on; a page and its agents may well open hundreds at once. */
const MAX_WAITING = 600
/** Connections of one address whose callers have not said who they are, also while they are answered. */
const MAX_UNKNOWN_PER_ADDRESS = 600
/** Those of all addresses together. */
const MAX_UNKNOWN = 1_200
/** A request is looked at for this long before it counts as one of somebody unknown: its token may still be checked. */
const GRACE_MS = 1_000
/** Requests of one user that are being answered at the same time. */
const MAX_ANSWERS_PER_USER = 400
/** Those of everybody but the owner. */
const MAX_ANSWERS = 1_000
/** How long an answer may wait to be read, and how much longer for each byte of it. */
const MAX_UNREAD_MS = 20_000
const MIN_BYTES_PER_MS = 8
const SWEEP_EVERY_MS = 2_000

/** A client that is slow for longer than this has gone, or means harm. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: SWEEP_EVERY_MS,
  maxHeaderSize: 16_384,
} as const

/** Half-open: its request is not complete. Answered: it waits for the next request. */
const PHASES = ['half-open', 'busy', 'answered'] as const
type Phase = (typeof PHASES)[number]

interface Connection {
  readonly socket: Socket
  readonly address: string
  phase: Phase
  /** When it entered its phase. */
  since: number
  /** Of the request at hand; undefined until the caller has said who they are. */
  caller?: Identity
  unread?: { readonly since: number; readonly bytes: number; readonly sent: number }
}

/**
 * Nobody can take all connections. Beyond a number of them the oldest of the same sort goes, so that a new caller always gets in;
 * known callers are refused beyond their share, and an answer that nobody reads is given up. The owner is never refused.
 */
export class ConnectionGuard {
  /** In the order in which they entered their phase. */
  readonly #connections = new Map<Socket, Connection>()

  watch(server: Server): void {
    server.maxConnections = MAX_CONNECTIONS
    server.on('connection', (socket: Socket) => {
      const address = socket.remoteAddress ?? ''
      this.#enter({ socket, address, phase: 'half-open', since: 0 })
      socket.once('close', () => this.#connections.delete(socket))
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#connections.get(request.socket)
      if (!connection) return
      connection.caller = undefined
      connection.phase = hasBody(request) ? 'half-open' : 'busy'
      this.#enter(connection)
      if (connection.phase === 'half-open')
        request.once('end', () => {
          if (connection.phase === 'half-open') connection.phase = 'busy'
        })
      response.once('close', () => {
        connection.phase = 'answered'
        connection.unread = undefined
        if (!request.socket.destroyed) this.#enter(connection)
      })
    })
    const timer = setInterval(() => this.#dropUnread(Date.now()), SWEEP_EVERY_MS).unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Notes who asks on a connection, and throws if they or everybody together have too much under way. */
  admit(socket: Socket | undefined, caller: Identity): void {
    const connection = socket && this.#connections.get(socket)
    if (!connection) return
    connection.caller = caller
    if (caller.isOwner) return
    let [own, all] = [0, 0]
    for (const { phase, caller: other } of this.#connections.values()) {
      if (phase !== 'busy' || !other || other.isOwner) continue
      all++
      if (other.user === caller.user) own++
    }
    if (own > MAX_ANSWERS_PER_USER)
      throw new Failure('rate_limited', 'Too many of your requests are under way; wait for some')
    if (all > MAX_ANSWERS)
      throw new Failure('too_busy', 'The server is busy with other requests; try again in a moment')
  }

  #enter(connection: Connection): void {
    connection.since = Date.now()
    this.#connections.delete(connection.socket)
    this.#connections.set(connection.socket, connection)
    const isWaiting = ({ phase }: Connection) => phase !== 'busy'
    const isUnknown = ({ caller }: Connection) => caller === undefined
    const isNeighbour = (one: Connection) => isUnknown(one) && one.address === connection.address
    this.#keepAtMost(MAX_WAITING, isWaiting)
    this.#keepAtMost(MAX_UNKNOWN_PER_ADDRESS, isNeighbour)
    this.#keepAtMost(MAX_UNKNOWN, isUnknown)
  }

  /** Drops the oldest of the phase that most are in, so that a flood in one phase costs nobody in another a connection. */
  #keepAtMost(most: number, isCounted: (one: Connection) => boolean): void {
    const found = { 'half-open': 0, busy: 0, answered: 0 }
    for (const one of this.#connections.values()) if (isCounted(one)) found[one.phase]++
    if (found['half-open'] + found.busy + found.answered <= most) return
    const early = Date.now() - GRACE_MS
    const first: Partial<Record<Phase, Connection>> = {}
    for (const one of this.#connections.values())
      if (isCounted(one) && (one.phase !== 'busy' || one.since < early)) first[one.phase] ??= one
    const oldest = PHASES.toSorted((a, b) => found[b] - found[a])
      .map((phase) => first[phase])
      .find((one) => one !== undefined)
    if (!oldest) return
    this.#connections.delete(oldest.socket)
    oldest.socket.destroy()
  }

  #dropUnread(now: number): void {
    for (const connection of this.#connections.values()) {
      const { socket, unread } = connection
      const bytes = socket.writableLength
      const sent = socket.bytesWritten - bytes
      if (bytes === 0) connection.unread = undefined
      else if (!unread || sent > unread.sent) connection.unread = { since: now, bytes, sent }
      else if (now - unread.since > MAX_UNREAD_MS + unread.bytes / MIN_BYTES_PER_MS)
        socket.destroy()
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
