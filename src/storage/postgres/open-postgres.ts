import { Kysely, PostgresDialect } from 'kysely'
import type { Log } from '../../core/log.ts'
import { migrate } from '../migrate.ts'
import { refuseNewerSchema } from '../newer-schema.ts'
import type { Tables } from '../tables.ts'
import { openPool, type PoolSettings } from './open-pool.ts'
import { patientPool } from './patient-pool.ts'

export async function openPostgres(settings: PoolSettings, log: Log): Promise<Kysely<Tables>> {
  const pool = patientPool(openPool(settings, log))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, 'postgres')
    await refuseNewerSchema(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
