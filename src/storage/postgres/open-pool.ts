import pg, { type Pool, type PoolConfig } from 'pg'
import type { Log } from '../../core/log.ts'

const INT8 = 20
const CONNECT_TIMEOUT_MS = 5_000

/** Connections that may be lost at any moment: whoever uses one hears of it, and the process goes on. */
export function openPool(
  settings: Pick<PoolConfig, 'connectionString' | 'max' | 'statement_timeout'>,
  log: Log,
): Pool {
  // int8 arrives as text otherwise; our ids and counts stay far below 2^53.
  pg.types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...settings })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  // The pool listens to idle connections alone: one that is lost between the statements of a transaction would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  )
  return pool
}
