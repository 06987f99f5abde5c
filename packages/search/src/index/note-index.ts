import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Hit, IndexedNote, NoteIndex, StoredNote } from '../index-store.ts'
import { rowsOf } from '@secretary-mcp/core/sqlite/rows-of.ts'
import { matchAny } from './match-any.ts'
import type { Write } from './sqlite-index-store.ts'

/** What the turns around say helps to find this one, but less than what it says itself. */
const NEIGHBOUR_WEIGHT = 0.3

export function sqliteNoteIndex(db: DatabaseSyncInstance, write: Write): NoteIndex {
  const known = db.prepare(
    'SELECT key, content, neighbours, module, date, access_count AS accessCount FROM notes WHERE scope = ? AND id = ?',
  )
  const insert = db.prepare(
    'INSERT INTO notes (scope, id, source, type, content, neighbours, module, session, date, access_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const count = db.prepare('UPDATE notes SET access_count = ? WHERE key = ?')
  const under = db.prepare(
    'SELECT id FROM notes WHERE scope = ? AND id >= ? AND substr(id, 1, length(?)) = ?',
  )
  const insertTerms = db.prepare(
    'INSERT INTO note_terms (rowid, body, neighbours) VALUES (?, ?, ?)',
  )
  const removal = [
    "DELETE FROM vectors WHERE owner = 'note' AND id = ?",
    'DELETE FROM note_terms WHERE rowid = ?',
    'DELETE FROM notes WHERE key = ?',
  ].map((sql) => db.prepare(sql))
  const find = db.prepare(
    `SELECT note_terms.rowid AS id, -bm25(note_terms, 1.0, ${NEIGHBOUR_WEIGHT}) AS score
     FROM note_terms JOIN notes ON notes.key = note_terms.rowid
     WHERE note_terms MATCH ? AND notes.scope IN (SELECT value FROM json_each(?))
     ORDER BY score DESC LIMIT ? + 0`,
  )
  const read = db.prepare(
    'SELECT key, id, source, type, content, module, session, date, access_count AS accessCount FROM notes WHERE key IN (SELECT value FROM json_each(?))',
  )

  function remove(scope: string, id: string): void {
    const [row] = rowsOf<{ key: number }>(known, scope, id)
    if (row) for (const statement of removal) statement.run(row.key)
  }

  function put(note: IndexedNote): void {
    const { scope = '', id } = note
    const [before] = rowsOf<KnownNote>(known, scope, id)
    // What is fed again at every start keeps its place and its vector.
    if (before && isSame(before, note)) {
      if (before.accessCount !== (note.accessCount ?? 0))
        count.run(note.accessCount ?? 0, before.key)
      return
    }
    remove(scope, id)
    const { lastInsertRowid } = insert.run(
      scope,
      id,
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
    removeNotes: async (scope, ids) => {
      if (ids.length === 0) return
      write(() => {
        for (const id of ids) remove(scope, id)
      })
    },
    noteIdsUnder: async (scope, prefix) =>
      rowsOf<{ id: string }>(under, scope, prefix, prefix, prefix).map(({ id }) => id),
    findNotes: async (terms, scopes, limit) =>
      terms.length ? rowsOf<Hit>(find, matchAny(terms), JSON.stringify(scopes), limit) : [],
    notes: async (keys) => rowsOf<StoredNote>(read, JSON.stringify(keys)),
  }
}

interface KnownNote {
  readonly key: number
  readonly content: string
  readonly neighbours: string | null
  readonly module: string | null
  readonly date: string
  readonly accessCount: number
}

function isSame(before: KnownNote, note: IndexedNote): boolean {
  return (
    before.content === note.content &&
    before.neighbours === (note.neighbours ?? null) &&
    before.module === (note.module ?? null) &&
    before.date === note.date
  )
}
