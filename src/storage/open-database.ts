import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import type { Database } from './database.ts'
import { postgresDatabase } from './postgres/postgres-database.ts'
import { sqliteDatabase } from './sqlite/sqlite-database.ts'

export interface DatabaseConfig {
  readonly home: string
  readonly databaseUrl?: string
}

export function openDatabase({ home, databaseUrl }: DatabaseConfig, log: Log): Database {
  return databaseUrl ? postgresDatabase(databaseUrl, log) : sqliteDatabase(join(home, 'secretary.db'))
}
