import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import type { Database } from '@secretary-mcp/secretary/storage/database.ts'
import { openDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import pg from 'pg'
import { inject } from 'vitest'
import { placeMigratedFile } from './migrated-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface EngineUnderTest {
  readonly name: 'sqlite' | 'postgres'
  /** Settings of an empty database of its own, as a server's environment. */
  fresh(): Promise<{ SECRETARY_HOME: string; SECRETARY_DATABASE_URL?: string }>
}

const sqlite: EngineUnderTest = {
  name: 'sqlite',
  fresh: async () => ({ SECRETARY_HOME: join(temporaryFolder(), 'home') }),
}
const postgres: EngineUnderTest = {
  name: 'postgres',
  fresh: async () => ({
    SECRETARY_HOME: join(temporaryFolder(), 'home'),
    SECRETARY_DATABASE_URL: await freshPostgres(),
  }),
}

/** The same suite runs over both, or over SQLite alone in a project that starts no PostgreSQL. */
export const engines: readonly EngineUnderTest[] =
  inject('postgresUrl') === undefined ? [sqlite] : [sqlite, postgres]

export async function openFresh(engine: EngineUnderTest): Promise<Database> {
  const { SECRETARY_HOME: home, SECRETARY_DATABASE_URL: databaseUrl } = await engine.fresh()
  return openDatabase({ home, databaseUrl }, silentLog)
}

/** For what does not depend on the engine. */
export function openFreshSqlite(): Database {
  const home = join(temporaryFolder(), 'home')
  placeMigratedFile(join(home, 'secretary.db'))
  return openDatabase({ home }, silentLog)
}

export async function freshPostgres(server = inject('postgresUrl')): Promise<string> {
  if (server === undefined) throw new Error('this project of tests starts no PostgreSQL')
  const name = `t_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server.replace(/\/postgres$/, `/${name}`)
}
