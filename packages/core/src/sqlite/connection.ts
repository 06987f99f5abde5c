import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { BUSY_WAIT_MS, whileBusy } from './while-busy.ts'

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
