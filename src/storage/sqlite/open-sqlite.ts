import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { openSqliteFile } from './connection.ts'
import { sqliteDialect } from './kysely-dialect.ts'
import { BLOCKING_WAIT_MS } from './while-busy.ts'

export async function openSqlite(path: string, busyWaitMs?: number): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(await openSqliteFile(path, BLOCKING_WAIT_MS), busyWaitMs),
  })
  try {
    await migrate(db, 'sqlite')
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
