import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Log } from '@secretary-mcp/core/log.ts'
import { closeSqliteFile, rowsOf, whileBusy } from '@secretary-mcp/core/sqlite/connection.ts'
import type { KeptStamp, KeptStore, Named } from '../kept-store.ts'
import { packDialog, unpackDialog } from '../packed-dialog.ts'
import { adoptKept, forgetUnowned, notForgotten, type Unowned } from './adopt-kept.ts'
import { openKept } from './open-kept.ts'

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
