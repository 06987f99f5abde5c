import { Socket } from 'node:net'
import type { Log } from '@secretary-mcp/core/log.ts'
import pg, { type Pool } from 'pg'

export interface PoolTimes {
  /** Of getting a connection, the wait for a free one included. */
  readonly connectMs: number
  /** Of one query, by our own clock: a server that went silent ends nothing by itself. */
  readonly queryMs: number
  readonly closeMs: number
}

export const POOL_TIMES: PoolTimes = { connectMs: 10_000, queryMs: 12_000, closeMs: 2_000 }

export interface PoolSettings extends Partial<PoolTimes> {
  readonly url: string
  readonly connections: number
  /** A pooler lends one connection to many clients: nothing may be set on it. */
  readonly isPooled?: boolean
}

export interface BoundedPool {
  readonly pool: Pool
  /** Says goodbye to the server, and hangs up where it does not answer. */
  close(): Promise<void>
}

const INT8 = 20
/** Others may be waiting for a place at the server. */
const IDLE_MS = 3_000
const KEEP_ALIVE_AFTER_MS = 10_000
/** The server's own limit comes first, so that its answer still arrives. */
const SERVER_SHARE = 0.8
/**
 * Statements of ours take milliseconds, and PostgreSQL takes some of them for longer ones: a second process, or compiling them,
 * would cost more than it saves. Where a statement may read very much, it asks for workers itself.
 */
const OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off'

/** Connections that may be lost or go silent at any moment: whoever uses one hears of it, and the process goes on. */
export function openPool(
  { url, connections, isPooled = false, ...given }: PoolSettings,
  log: Log,
): BoundedPool {
  const { connectMs, queryMs, closeMs } = { ...POOL_TIMES, ...given }
  // int8 arrives as text otherwise; our ids and counts stay far below 2^53.
  pg.types.setTypeParser(INT8, Number)
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: queryMs,
    ...(isPooled
      ? {}
      : { statement_timeout: Math.round(queryMs * SERVER_SHARE), options: OPTIONS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => remembered(sockets),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  // The pool listens to idle connections alone: one that is lost between the statements of a transaction would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  )
  return {
    pool,
    async close() {
      const hangUp = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closeMs)
      try {
        await pool.end()
      } finally {
        clearTimeout(hangUp)
      }
    },
  }
}

function remembered(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}
