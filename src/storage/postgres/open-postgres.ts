import { Kysely, PostgresDialect } from 'kysely'
import type { Log } from '../../core/log.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { openPool } from './open-pool.ts'

const STATEMENT_TIMEOUT_MS = 30_000

export async function openPostgres(url: string, log: Log): Promise<Kysely<Tables>> {
  const pool = openPool(
    { connectionString: url, max: 10, statement_timeout: STATEMENT_TIMEOUT_MS },
    log,
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, 'postgres')
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
