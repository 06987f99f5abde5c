import { Kysely } from 'kysely'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { tracedQueries } from '../traced-queries.ts'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { sqliteDialect } from './kysely-dialect.ts'
import { BLOCKING_WAIT_MS } from '@secretary-mcp/core/sqlite/while-busy.ts'

interface OpenOptions {
  readonly busyWaitMs?: number
  readonly tracing?: Tracing
}

export async function openSqlite(
  path: string,
  { busyWaitMs, tracing }: OpenOptions = {},
): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({
    log: tracedQueries('sqlite', tracing),
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
