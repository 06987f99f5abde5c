import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type FailureKind } from '@secretary-mcp/core/failure.ts'
import { type Log, silentLog } from '@secretary-mcp/core/log.ts'
import { keepTraceOfEmptied } from '@secretary-mcp/core/sqlite/connection.ts'
import { sqliteFailure } from '@secretary-mcp/core/sqlite/sqlite-failure.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import { type Database, lazyDatabase } from './database.ts'
import type { PoolTimes } from './postgres/open-postgres.ts'

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
])
const FULL = new Set(['53100', '53200'])
const REFUSED = new Set(['28P01', '28000', '3D000'])
/** Connection exceptions, shutdowns and too many connections. */
const DOWN = /^(08|57P|53300)/

export interface DatabaseConfig {
  readonly home: string
  readonly databaseUrl?: string
}

/** Enough for one client, so that many servers find room at one PostgreSQL. */
const FEW_CONNECTIONS = 2

export interface DatabaseOptions extends Partial<PoolTimes> {
  /** At most, at once; counts for PostgreSQL alone. */
  readonly connections?: number
  readonly tracing?: Tracing
}

interface SqliteOptions {
  readonly busyWaitMs?: number
  readonly log?: Log
  readonly tracing?: Tracing
}

/** The query layer and the drivers load when the database is first used: a start must not wait for them. */
export function openDatabase(
  { home, databaseUrl }: DatabaseConfig,
  log: Log,
  { connections = FEW_CONNECTIONS, tracing, ...times }: DatabaseOptions = {},
): Database {
  if (databaseUrl) {
    return lazyDatabase({
      engine: 'postgres',
      translate: postgresFailure,
      open: async () => {
        const { openPostgres } = await import('./postgres/open-postgres.ts')
        return openPostgres({ url: databaseUrl, connections, ...times }, log, tracing)
      },
    })
  }
  return sqliteDatabase(sqliteFile(home), { log, tracing })
}

/**
 * A file that was deleted, moved away or replaced by a backup while it was open would go on taking what is written, and nobody would
 * ever see it again: so the file is compared before each use.
 */
export function sqliteDatabase(
  path: string,
  { busyWaitMs, log = silentLog, tracing }: SqliteOptions = {},
): Database {
  let opened: string | undefined
  return lazyDatabase({
    engine: 'sqlite',
    translate: (error) => sqliteFailure(error, path),
    open: async () => {
      await keepTraceOfEmptied(path, log)
      const { openSqlite } = await import('./sqlite/open-sqlite.ts')
      const db = await openSqlite(path, { busyWaitMs, tracing })
      opened = identityOf(path)
      return db
    },
    isReplaced: () => path !== ':memory:' && identityOf(path) !== opened,
  })
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}/${found.ino}`
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

function postgresFailure(error: unknown): Error {
  if (error instanceof Failure) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const text = error instanceof Error ? error.message : ''
  const fail = (kind: FailureKind, message: string) =>
    new Failure(kind, message, {
      instruction: 'Tell the person; do not try to repair the database.',
      cause: error,
    })
  if (FULL.has(code)) return fail('storage_full', 'The database is full; nothing was saved')
  if (REFUSED.has(code))
    return fail(
      'storage_unavailable',
      'The database refused the connection; check SECRETARY_DATABASE_URL',
    )
  if (code === '25006')
    return fail('storage_readonly', 'The database is read-only; nothing was saved')
  if (code === '57014')
    return fail('storage_busy', 'The database took too long; try again in a moment')
  if (
    NETWORK.has(code) ||
    DOWN.test(code) ||
    /Query read timeout|Client was closed|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended/i.test(
      text,
    )
  ) {
    return fail('storage_unavailable', 'The database cannot be reached; try again in a moment')
  }
  return error instanceof Error ? error : new Error(String(error))
}
