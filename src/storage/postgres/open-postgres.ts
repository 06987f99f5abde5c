import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'

const INT8 = 20
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

export async function openPostgres(url: string, log: Log): Promise<Kysely<Tables>> {
  // int8 arrives as text otherwise; our ids and counts stay far below 2^53.
  pg.types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  })
  // An idle connection that the server drops would end the process without this.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, 'postgres')
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
