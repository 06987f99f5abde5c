import { existsSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  openSqliteFile,
  removeSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import {
  type DialogClaim,
  isClaimed,
  type KeptStamp,
  type KeptStore,
  type Named,
} from '../kept-store.ts'
import { packDialog, unpackDialog } from '../whole-dialog.ts'

const NAMED = 'key IN (SELECT value FROM json_each(?))'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS kept (
  key TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL, content BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS forgotten (key TEXT PRIMARY KEY, source TEXT NOT NULL, session TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS forgotten_by_session ON forgotten (session);
`

const KEYS = 'key IN (SELECT value FROM json_each(?))'

/** Opened when first used: a start does not wait for it. */
export function sqliteKeptStore(path: string, log: Log, unowned?: Unowned): KeptStore {
  let opening: Promise<DatabaseSyncInstance> | undefined
  const use = () => {
    opening ??= open()
    return opening
  }
  const open = async () => {
    const db = await openKept(path, log)
    if (unowned)
      await adoptKept(db, unowned, log).catch((err: unknown) =>
        log.warn({ err, path: unowned.path }, 'dialogs that were kept before are not there yet'),
      )
    return db
  }
  return {
    async stamps() {
      const rows = rowsOf<KeptStamp & { key: string }>(
        (await use()).prepare('SELECT key, size, mtime AS mtimeMs FROM kept'),
      )
      return new Map(rows.map(({ key, size, mtimeMs }) => [key, { size, mtimeMs }]))
    },
    async save(kept) {
      const { key, size, mtimeMs } = kept.dialog
      const put = (await use()).prepare(
        'INSERT OR REPLACE INTO kept (key, size, mtime, content) VALUES (?, ?, ?, ?)',
      )
      await whileBusy(() => put.run(key, size, mtimeMs, packDialog(kept)))
    },
    async find(key) {
      const found = (await use()).prepare('SELECT content FROM kept WHERE key = ?')
      const [row] = rowsOf<{ content: Uint8Array }>(found, key)
      return row && unpackDialog(row.content)
    },
    async remove(keys) {
      const drop = (await use()).prepare(`DELETE FROM kept WHERE ${KEYS}`)
      await whileBusy(() => drop.run(JSON.stringify(keys)))
    },
    async removeBefore(timeMs) {
      const db = await use()
      const [old] = rowsOf(db.prepare('SELECT 1 FROM kept WHERE mtime < ? LIMIT 1'), timeMs)
      // Most of the time there is nothing to remove, and then nobody is locked out.
      if (!old) return
      const drop = db.prepare('DELETE FROM kept WHERE mtime < ?')
      await whileBusy(() => drop.run(timeMs))
    },
    async forget(dialogs) {
      const db = await use()
      if (db.location() === null && path !== ':memory:') throw notForgotten()
      const mark = db.prepare(
        'INSERT OR IGNORE INTO forgotten (key, source, session) VALUES (?, ?, ?)',
      )
      const drop = db.prepare('DELETE FROM kept WHERE key = ?')
      await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
      try {
        for (const { key, source, sessionId, lead } of dialogs) {
          mark.run(key, source, lead ?? sessionId)
          drop.run(key)
        }
        db.exec('COMMIT')
      } catch (error) {
        // On a full disk SQLite has rolled back by itself.
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
      const keys = dialogs.map(({ key }) => key)
      if (unowned) await forgetUnowned(unowned.path, keys, log)
    },
    async forgottenKeys() {
      const rows = rowsOf<{ key: string }>((await use()).prepare('SELECT key FROM forgotten'))
      return new Set(rows.map(({ key }) => key))
    },
    async forgottenSessions() {
      const found = 'SELECT DISTINCT source, session AS sessionId FROM forgotten ORDER BY 1, 2'
      return rowsOf<Pick<Named, 'source' | 'sessionId'>>((await use()).prepare(found))
    },
    async isForgotten({ key, source, sessionId, lead }) {
      const found = (await use()).prepare(
        'SELECT 1 FROM forgotten WHERE key = ? OR (session = ? AND source = ?)',
      )
      return found.get(key, lead ?? sessionId, source) !== undefined
    },
    async version() {
      const row = (await use()).prepare('PRAGMA data_version').get()
      return Number(Object.values(row ?? {})[0])
    },
    async close() {
      const open = await opening?.catch(() => undefined)
      opening = undefined
      if (open) closeSqliteFile(open)
    },
  }
}

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

interface Unowned {
  /** The file of an earlier version, in which the dialogs of all users are. */
  readonly path: string
  claims(keys: readonly string[]): Promise<readonly DialogClaim[]>
}

/**
 * Takes what is the user's out of a file without an owner. What another user may claim as well stays there for them. A copy is on
 * the disk before anything is removed, so a process that is killed has only to begin again.
 */
async function adoptKept(
  own: DatabaseSyncInstance,
  { path, claims }: Unowned,
  log: Log,
): Promise<void> {
  // What is in memory is gone with the process.
  if (own.location() === null || !existsSync(path)) return
  const before = await openKept(path, log)
  let isEmpty = false
  try {
    if (before.location() === null) return
    const judged = await claims(keysIn(before))
    const taken = judged.filter(isClaimed)
    const marks = judged.filter((claim) => isClaimed(claim) || !claim.isOthers)
    const wanted = taken.filter(({ mine }) => mine !== 'removed')
    const sole = taken.filter(({ isOthers }) => !isOthers)
    own.prepare('ATTACH ? AS unowned').run(path)
    try {
      own.exec('PRAGMA main.synchronous = FULL')
      await inTransaction(own, () => {
        own
          .prepare(`INSERT OR IGNORE INTO forgotten SELECT * FROM unowned.forgotten WHERE ${NAMED}`)
          .run(keysOf(marks))
        own
          .prepare(
            `INSERT OR IGNORE INTO kept SELECT * FROM unowned.kept
             WHERE ${NAMED} AND key NOT IN (SELECT key FROM forgotten)`,
          )
          .run(keysOf(wanted))
      })
    } finally {
      own.exec('PRAGMA main.synchronous = NORMAL; DETACH unowned')
    }
    await inTransaction(before, () => {
      for (const table of ['kept', 'forgotten'])
        before.prepare(`DELETE FROM ${table} WHERE ${NAMED}`).run(keysOf(sole))
    })
    isEmpty = keysIn(before).length === 0
  } finally {
    closeSqliteFile(before)
  }
  if (isEmpty) removeSqliteFile(path)
}

/** From a file without an owner, where what is forgotten was left for others. */
async function forgetUnowned(path: string, keys: readonly string[], log: Log): Promise<void> {
  if (!existsSync(path)) return
  const before = await openKept(path, log)
  try {
    if (before.location() === null) throw notForgotten()
    const drop = before.prepare(`DELETE FROM kept WHERE ${NAMED}`)
    await whileBusy(() => drop.run(JSON.stringify(keys)))
  } finally {
    closeSqliteFile(before)
  }
}

/** What is in the file would be shown again by the next process. */
function notForgotten(): Failure {
  return new Failure(
    'storage_unavailable',
    'The kept dialogs could not be opened, so nothing was forgotten; check SECRETARY_HOME and the disk',
  )
}

function keysIn(db: DatabaseSyncInstance): string[] {
  const all = db.prepare('SELECT key FROM kept UNION SELECT key FROM forgotten')
  return rowsOf<{ key: string }>(all).map(({ key }) => key)
}

function keysOf(claims: readonly DialogClaim[]): string {
  return JSON.stringify(claims.map(({ key }) => key))
}

async function inTransaction(db: DatabaseSyncInstance, work: () => void): Promise<void> {
  await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    // On a full disk SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
