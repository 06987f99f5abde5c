import { renameSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  BLOCKING_WAIT_MS,
  openSqliteFile,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS kept (
  key TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL, content BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS forgotten (key TEXT PRIMARY KEY, source TEXT NOT NULL, session TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS forgotten_by_session ON forgotten (session);
`

/** Nothing else holds what is in this file: one that is damaged is put aside, never deleted. */
export async function openKept(path: string, log: Log): Promise<DatabaseSyncInstance> {
  try {
    return await openAt(path)
  } catch (error) {
    log.warn({ path, error: String(error) }, 'the kept dialogs cannot be opened')
    if (!/malformed|not a database/i.test(String(error))) return openAt(':memory:')
  }
  try {
    renameSync(path, `${path}.damaged-${Date.now()}`)
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    return await openAt(path)
  } catch (error) {
    log.warn({ path, error: String(error) }, 'dialogs are kept in memory for this run')
    return openAt(':memory:')
  }
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    await whileBusy(() => db.exec(SCHEMA))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
