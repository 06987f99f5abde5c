import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Log } from '../log.ts'

const CREATED_WITHIN_MS = 1_000
const LOOK_EVERY_MS = 50

/** Opens a file that several processes share. The driver is native and loads only when a database is first used. */
export async function openSqliteFile(
  path: string,
  blockingWaitMs = BUSY_WAIT_MS,
): Promise<DatabaseSyncInstance> {
  const { DatabaseSync: Driver } = await import('@photostructure/sqlite')
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = new Driver(path, { timeout: blockingWaitMs, enableForeignKeyConstraints: true })
  try {
    // Its log takes the mode of the file.
    if (path !== ':memory:') chmodSync(path, 0o600)
    // On a new file this does not wait for the busy handler: of many processes starting at once some must try again.
    await whileBusy(() => file.exec('PRAGMA journal_mode=WAL'))
    // What is deleted must not stay readable in the file.
    file.exec('PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON')
    // A list that a query makes for itself costs more as a file than the rest of the query.
    file.exec('PRAGMA temp_store=MEMORY')
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/**
 * The driver lets go of a file only when its statements are collected, which is too late for SQLite to empty the log: so that a copy
 * of the file alone is whole once the last server has ended, the log is written back here. Others who use the file are not waited for.
 */
export function closeSqliteFile(file: DatabaseSyncInstance): void {
  try {
    file.exec('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Damaged, or no longer there: what was saved is in the log all the same.
  }
  file.close()
}

/** With its log. */
export function removeSqliteFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

/** How long a call waits for a lock that another process holds, in all. */
export const BUSY_WAIT_MS = 15_000
/** How long SQLite itself waits, which stops everything else in this process. */
export const BLOCKING_WAIT_MS = 10

const FIRST_WAIT_MS = 5
const MAX_WAIT_MS = 100
const BUSY_CODES: readonly number[] = [5, 6]

interface Pause {
  readonly waitMs?: number
  /** Runs around each wait, so that others may go on meanwhile. */
  around?(wait: () => Promise<void>): Promise<void>
}

/** Tries again while another process holds the lock. What is tried must change nothing when it fails. */
export async function whileBusy<T>(
  attempt: () => T | Promise<T>,
  { waitMs = BUSY_WAIT_MS, around = (pause) => pause() }: Pause = {},
): Promise<T> {
  const until = performance.now() + waitMs
  for (let pauseMs = FIRST_WAIT_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_WAIT_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
      await around(() => wait(pauseMs * (0.5 + Math.random())))
    }
  }
}

export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode ?? 0
  return BUSY_CODES.includes(code & 0xff) || /database (table )?is locked/.test(String(error))
}

/** The rows of a statement in the form that its text gives them: the driver cannot know it. */
export function rowsOf<T>(
  statement: StatementSyncInstance,
  ...parameters: Parameters<StatementSyncInstance['all']>
): T[] {
  const rows: unknown = statement.all(...parameters)
  return rows as T[]
}

/**
 * A file of length zero is what a crash or a full disk leaves of a database. SQLite would take it for a new one, and delete the log
 * beside it, which may hold all that was written: so the log is kept under another name, and its name tells of it later. Work goes
 * on in the new database rather than stopping, since an empty file holds nothing that could still be lost.
 */
export async function keepTraceOfEmptied(path: string, log: Log): Promise<void> {
  if (path === ':memory:' || !(await isLeftEmpty(path))) return
  const trace = `${path}.empty-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size)
    renameSync(`${path}-wal`, `${trace}-wal`)
  else writeFileSync(trace, '', { mode: 0o600 })
  log.warn(
    { path, trace },
    'the database file was empty and was recreated; restore a backup if something is missing',
  )
}

/** What was kept of files that were found empty. */
export function emptiedBefore(path: string): string[] {
  const prefix = `${basename(path)}.empty-`
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix))
  return names.map((name) => join(dirname(path), name))
}

/** Another process may be creating it: then it is empty for a moment only. */
async function isLeftEmpty(path: string): Promise<boolean> {
  const until = performance.now() + CREATED_WITHIN_MS
  while (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    if (performance.now() >= until) return true
    await wait(LOOK_EVERY_MS)
  }
  return false
}
