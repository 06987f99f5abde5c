import { Kysely, PostgresDialect } from 'kysely'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import { migrate } from '../migrate.ts'
import { refuseNewerSchema } from '../newer-schema.ts'
import type { Tables } from '../tables.ts'
import { tracedQueries } from '../traced-queries.ts'
import { openPool, type PoolSettings } from './open-pool.ts'
import { patientPool } from './patient-pool.ts'

/** What a pooler between us and the server says to a setting that it cannot keep for one client. */
const REFUSED_SETTING = /unsupported startup parameter/

export async function openPostgres(
  settings: PoolSettings,
  log: Log,
  tracing?: Tracing,
): Promise<Kysely<Tables>> {
  return open(settings, log, tracing).catch((error: unknown) => {
    if (!REFUSED_SETTING.test(String(error))) throw error
    log.info('the database is behind a pooler; only our own clock limits a query')
    return open({ ...settings, isPooled: true }, log, tracing)
  })
}

async function open(settings: PoolSettings, log: Log, tracing?: Tracing): Promise<Kysely<Tables>> {
  const pool = patientPool(openPool(settings, log))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: tracedQueries('postgres', tracing),
  })
  try {
    await migrate(db, 'postgres')
    await refuseNewerSchema(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
