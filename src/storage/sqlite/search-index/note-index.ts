import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Hit, IndexedNote, NoteIndex, StoredNote } from '../../../search/index-store.ts'
import { rowsOf } from '../rows-of.ts'
import { matchAny } from './match-any.ts'
import type { Write } from './sqlite-index-store.ts'

/** What the turns around say helps to find this one, but less than what it says itself. */
const NEIGHBOUR_WEIGHT = 0.3

export function sqliteNoteIndex(db: DatabaseSyncInstance, write: Write): NoteIndex {
  const keyOf = db.prepare('SELECT key FROM notes WHERE id = ?')
  const insert = db.prepare(
    'INSERT INTO notes (id, source, type, content, neighbours, module, session, date, access_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const under = db.prepare('SELECT id FROM notes WHERE id >= ? AND substr(id, 1, length(?)) = ?')
  const insertTerms = db.prepare(
    'INSERT INTO note_terms (rowid, body, neighbours) VALUES (?, ?, ?)',
  )
  const removal = [
    "DELETE FROM vectors WHERE owner = 'note' AND id = ?",
    'DELETE FROM note_terms WHERE rowid = ?',
    'DELETE FROM notes WHERE key = ?',
  ].map((sql) => db.prepare(sql))
  const find = db.prepare(
    `SELECT rowid AS id, -bm25(note_terms, 1.0, ${NEIGHBOUR_WEIGHT}) AS score FROM note_terms WHERE note_terms MATCH ? ORDER BY score DESC LIMIT ?`,
  )
  const read = db.prepare(
    'SELECT key, id, source, type, content, module, session, date, access_count AS accessCount FROM notes WHERE key IN (SELECT value FROM json_each(?))',
  )

  function remove(id: string): void {
    const row = keyOf.get(id) as { key: number } | undefined
    if (row) for (const statement of removal) statement.run(row.key)
  }

  function put(note: IndexedNote): void {
    remove(note.id)
    const { lastInsertRowid } = insert.run(
      note.id,
      note.source,
      note.type ?? null,
      note.content,
      note.neighbours ?? null,
      note.module ?? null,
      note.session ?? null,
      note.date,
      note.accessCount ?? 0,
    )
    insertTerms.run(lastInsertRowid, note.terms, note.neighbourTerms)
  }

  return {
    putNotes: async (notes) => write(() => notes.forEach(put)),
    removeNotes: async (ids) => write(() => ids.forEach(remove)),
    noteIdsUnder: async (prefix) =>
      rowsOf<{ id: string }>(under, prefix, prefix, prefix).map(({ id }) => id),
    findNotes: async (terms, limit) =>
      terms.length ? rowsOf<Hit>(find, matchAny(terms), limit) : [],
    notes: async (keys) => rowsOf<StoredNote>(read, JSON.stringify(keys)),
  }
}
