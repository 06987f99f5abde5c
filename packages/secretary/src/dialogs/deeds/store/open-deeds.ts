import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Log } from '@secretary-mcp/core/log.ts'
import { openSqliteFile, removeSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { BLOCKING_WAIT_MS, isBusy, whileBusy } from '@secretary-mcp/core/sqlite/while-busy.ts'
import { DEED_SCHEMA, DEED_VERSION } from './deed-schema.ts'

const NO_ROOM = /ENOSPC|EDQUOT|disk is full|disk I\/O error/

/**
 * Most of it can be read again from the agents' files, and the rest from what is kept: a file that is damaged or of another version
 * is replaced, and so is one of an earlier version that was all users'.
 */
export async function openDeeds(
  path: string,
  log: Log,
  unowned?: string,
): Promise<DatabaseSyncInstance> {
  try {
    if (unowned && !existsSync(path)) removeSqliteFile(unowned)
  } catch (error) {
    log.warn({ path: unowned, error: String(error) }, 'the old index of deeds cannot be removed')
  }
  try {
    return await openAt(path)
  } catch (error) {
    // A file that another process has locked for so long is in use, and one on a full disk may be sound.
    if (isBusy(error) || NO_ROOM.test(String(error))) return inMemory(path, log, error)
    log.warn({ path, error: String(error) }, 'the index of deeds cannot be used and is rebuilt')
  }
  try {
    removeSqliteFile(path)
    return await openAt(path)
  } catch (error) {
    return inMemory(path, log, error)
  }
}

function inMemory(path: string, log: Log, error: unknown): Promise<DatabaseSyncInstance> {
  log.warn({ path, error: String(error) }, 'the index of deeds is kept in memory for this run')
  return openAt(':memory:')
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    db.exec('PRAGMA cache_size = -16000')
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version === 0) db.exec(`${DEED_SCHEMA}; PRAGMA user_version = ${DEED_VERSION}`)
    db.exec('COMMIT')
    if (version !== 0 && version !== DEED_VERSION)
      throw new Error(`version ${version}, wanted ${DEED_VERSION}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
