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
  return databaseUrl ? postgresDatabase(databaseUrl, log) : sqliteDatabase(sqliteFile(home))
}

/** Where the data lives, fit to be shown: without a password. */
export function databasePlace({ home, databaseUrl }: DatabaseConfig): string {
  if (!databaseUrl) return sqliteFile(home)
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${hostname}${port ? `:${port}` : ''}${pathname}`
}

function sqliteFile(home: string): string {
  return join(home, 'secretary.db')
}
