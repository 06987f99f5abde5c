import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { VectorCache } from '../embedder/vector-cache.ts'
import type { IndexStore } from '../index-store.ts'
import { sqliteFileIndex } from './file-index.ts'
import { openIndexDatabase } from './index-database.ts'
import { sqliteIndexLock } from './index-lock.ts'
import { sqliteNoteIndex } from './note-index.ts'
import { refuseReplaced, throwAwayDamaged } from './throw-away-damaged.ts'
import { sqliteVectorCache } from './vector-cache.ts'
import { sqliteVectorIndex } from './vector-index.ts'

/** A project's search index in a file of its own. */
export async function openSqliteIndexStore(
  path: string,
  log: Log,
): Promise<IndexStore & { readonly vectorCache: VectorCache }> {
  const db = await openIndexDatabase(path, log)
  const write = writer(db)
  const setMeta = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const removeMeta = db.prepare('DELETE FROM meta WHERE key = ?')
  const getMeta = db.prepare('SELECT value FROM meta WHERE key = ?')
  const total = db.prepare('SELECT n FROM totals WHERE name = ?')
  const totalOf = (name: string) => (total.get(name) as { n: number } | undefined)?.n ?? 0
  const guard = throwAwayDamaged(db, log)
  const mustBeThere = refuseReplaced(db)
  const store = guard({
    ...sqliteFileIndex(db, write),
    ...sqliteNoteIndex(db, write),
    ...sqliteVectorIndex(db, write),
    ...sqliteIndexLock(db),
    vectorCache: guard(sqliteVectorCache(db)),
    counts: async () => ({
      files: totalOf('files'),
      chunks: totalOf('chunks'),
      notes: totalOf('notes'),
    }),
    async revision() {
      mustBeThere()
      return Number((getMeta.get('revision') as { value: string } | undefined)?.value ?? 0)
    },
    mark: async (name: string) =>
      (getMeta.get(`mark ${name}`) as { value: string } | undefined)?.value,
    setMark: async (name: string, value: string | undefined) => {
      if (value === undefined) removeMeta.run(`mark ${name}`)
      else setMeta.run(`mark ${name}`, value)
    },
    isPrivate: db.location() === null,
  })
  return {
    ...store,
    async close() {
      if (db.isOpen) db.close()
    },
  }
}

/** Runs one write as one transaction and moves the revision. */
export type Write = (change: () => void) => void

function writer(db: DatabaseSyncInstance): Write {
  const bump = db.prepare(
    "INSERT INTO meta (key, value) VALUES ('revision', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
  )
  return (change) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      change()
      bump.run()
      db.exec('COMMIT')
    } catch (error) {
      // On a full disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
