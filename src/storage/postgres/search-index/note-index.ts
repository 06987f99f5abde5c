import type { NoteIndex, StoredNote } from '../../../context/search/index-store.ts'
import { documentCounts, findByTerms, type TermTable } from './bm25.ts'
import type { IndexConnection, Run } from './connection.ts'
import { clean, wordCount } from './file-index.ts'

/** What the turns around say helps to find this one, but less than what it says itself. */
const NOTES: TermTable = { name: 'search_notes', id: 'key', weights: { B: 0.3, D: 1 } }

export function postgresNoteIndex(connection: IndexConnection): NoteIndex {
  const { project, run, write } = connection
  async function remove(on: Run, ids: readonly string[]): Promise<void> {
    await on(
      `delete from search_vectors where project = $1 and owner = 'note' and id in (select key from search_notes where project = $1 and id = any($2))`,
      [project, ids],
    )
    await on('delete from search_notes where project = $1 and id = any($2)', [project, ids])
  }
  return {
    putNotes: (notes) =>
      write(async (on) => {
        await remove(
          on,
          notes.map((note) => note.id),
        )
        for (const note of new Map(notes.map((one) => [one.id, one])).values())
          await on(
            `insert into search_notes (project, id, source, type, content, neighbours, module, session, date, access_count, terms, length)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_tsvector('simple', $11) || setweight(to_tsvector('simple', $12), 'B'), $13)`,
            [
              project,
              note.id,
              note.source,
              note.type ?? null,
              clean(note.content),
              clean(note.neighbours ?? ''),
              note.module ?? null,
              note.session ?? null,
              note.date,
              note.accessCount ?? 0,
              clean(note.terms),
              clean(note.neighbourTerms),
              wordCount(note.terms) + wordCount(note.neighbourTerms),
            ],
          )
      }),
    removeNotes: (ids) => write((on) => remove(on, ids)),
    async noteIdsUnder(prefix) {
      const rows = await run<{ id: string }>(
        'select id from search_notes where project = $1 and starts_with(id, $2)',
        [project, prefix],
      )
      return rows.map(({ id }) => id)
    },
    findNotes: async (terms, limit) =>
      findByTerms(connection, NOTES, await documentCounts(connection, NOTES, terms), limit),
    notes: (keys) =>
      run<StoredNote>(
        'select key, id, source, type, content, module, session, date, access_count as "accessCount" from search_notes where key = any($1)',
        [keys],
      ),
  }
}
