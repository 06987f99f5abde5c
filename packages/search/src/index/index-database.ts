import { rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Log } from '@secretary-mcp/core/log.ts'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { sqliteFailure } from '@secretary-mcp/core/sqlite/sqlite-failure.ts'
import { BLOCKING_WAIT_MS, isBusy, whileBusy } from '@secretary-mcp/core/sqlite/while-busy.ts'
import { INDEX_SCHEMA, INDEX_VERSION } from './index-schema.ts'

/**
 * Opens a project's index. It holds nothing that cannot be made again: a file that is corrupt or of another version is replaced,
 * and where nothing can be written the index lives in memory.
 */
export async function openIndexDatabase(path: string, log: Log): Promise<DatabaseSyncInstance> {
  try {
    return await openAt(path)
  } catch (error) {
    if (isUnwritable(error)) return inMemory(path, error, log)
    // Somebody is writing it: that is no reason to throw their work away.
    if (isBusy(error)) throw sqliteFailure(error, path)
    log.warn({ path, error: String(error) }, 'the search index cannot be used and is rebuilt')
  }
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return await openAt(path)
  } catch (error) {
    return inMemory(path, error, log)
  }
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version === 0) db.exec(`${INDEX_SCHEMA}; PRAGMA user_version = ${INDEX_VERSION}`)
    db.exec('COMMIT')
    if (version !== 0 && version !== INDEX_VERSION)
      throw new Error(`index version ${version}, wanted ${INDEX_VERSION}`)
    const chunks = db.prepare("SELECT n FROM totals WHERE name = 'chunks'").get() as
      | Total
      | undefined
    db.exec(`PRAGMA cache_size = -${cacheKilobytes(chunks?.n ?? 0)}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

interface Total {
  readonly n: number
}

/** A search in a large index looks at many pages: 8 MB up to 125,000 chunks, 64 MB from a million on. */
function cacheKilobytes(chunks: number): number {
  return Math.min(64_000, Math.max(8_000, Math.round(chunks * 0.064)))
}

async function inMemory(path: string, error: unknown, log: Log): Promise<DatabaseSyncInstance> {
  log.warn(
    { path, error: String(error) },
    'the search index cannot be written to disk; it is kept in memory for this run',
  )
  return openAt(':memory:')
}

/** What is there may be sound, and is left alone. */
function isUnwritable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    /EACCES|EROFS|EPERM|ENOTDIR|EEXIST|ENOSPC|EDQUOT|EMFILE|ENFILE/.test(code ?? '') ||
    /readonly|read-only|unable to open|disk is full|disk I\/O error/i.test(message ?? '')
  )
}
