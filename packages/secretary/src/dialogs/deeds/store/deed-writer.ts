import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { DialogDeeds } from '../deed-store.ts'
import { type DeedValue, deedValues } from './deed-row.ts'

export interface DeedWriter {
  save(dialogs: readonly DialogDeeds[]): void
  forget(keys: readonly string[]): void
}

const writers = new WeakMap<DatabaseSyncInstance, DeedWriter>()

export function deedWriter(db: DatabaseSyncInstance): DeedWriter {
  const known = writers.get(db)
  if (known) return known
  const writer = createWriter(db)
  writers.set(db, writer)
  return writer
}

function createWriter(db: DatabaseSyncInstance): DeedWriter {
  const dialog =
    db.prepare(`INSERT INTO dialogs (key, session, source, project, lead, repository) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET session = excluded.session, project = excluded.project, lead = excluded.lead,
    repository = coalesce(excluded.repository, repository) RETURNING id`)
  const addPath = db.prepare('INSERT OR IGNORE INTO paths (path) VALUES (?)')
  const findPath = db.prepare('SELECT id FROM paths WHERE path = ?')
  const deed = db.prepare(`INSERT OR IGNORE INTO deeds
    (dialog, at, place, time, kind, path, plus, minus, came, gone, words, text, command, exit, tail, call, since, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const line = db.prepare('INSERT OR IGNORE INTO lines (print, deed) VALUES (?, ?)')
  const dropLines = db.prepare(
    'DELETE FROM lines WHERE deed IN (SELECT id FROM deeds WHERE dialog = ?)',
  )
  const dropDeeds = db.prepare('DELETE FROM deeds WHERE dialog = ?')
  const dropDialog = db.prepare('DELETE FROM dialogs WHERE id = ?')
  const dialogOf = db.prepare('SELECT id FROM dialogs WHERE key = ?')
  const hasDeeds = db.prepare('SELECT 1 FROM deeds WHERE dialog = ? LIMIT 1')

  function pathNumber(path: string, seen: Map<string, number>): number | null {
    let number = seen.get(path) ?? idIn(findPath, path)
    if (number === undefined) {
      addPath.run(path)
      number = idIn(findPath, path)
    }
    if (number !== undefined) seen.set(path, number)
    return number ?? null
  }

  function drop(id: number): void {
    if (!hasDeeds.get(id)) return
    dropLines.run(id)
    dropDeeds.run(id)
  }

  return {
    save: (dialogs) =>
      inTransaction(db, () => {
        const paths = new Map<string, number>()
        for (const {
          key,
          sessionId,
          source,
          project,
          lead,
          repository,
          deeds,
          isWhole,
        } of dialogs) {
          const known = repository ? JSON.stringify(repository) : null
          const id = idIn(dialog, key, sessionId, source, project ?? null, lead ?? null, known)
          if (id === undefined) continue
          if (isWhole) drop(id)
          for (const one of deeds) {
            const path = one.path === undefined ? null : pathNumber(one.path, paths)
            const { changes, lastInsertRowid } = deed.run(id, ...deedValues(one, path))
            if (changes === 0) continue
            for (const { print } of one.lines?.came ?? []) line.run(print, lastInsertRowid)
          }
        }
      }),
    forget: (keys) =>
      inTransaction(db, () => {
        for (const key of keys) {
          const id = idIn(dialogOf, key)
          if (id === undefined) continue
          drop(id)
          dropDialog.run(id)
        }
      }),
  }
}

function idIn(statement: StatementSyncInstance, ...values: DeedValue[]): number | undefined {
  const row: unknown = statement.get(...values)
  return (row as { id: number } | undefined)?.id
}

function inTransaction(db: DatabaseSyncInstance, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    // On a full disk SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
