import { type Kysely, sql } from 'kysely'
import type {
  ReadNote,
  SpaceNote,
  SpaceNoteStore,
} from '../space-note-store.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { NoteType } from '@secretary-mcp/search/search-types.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tables } from '../../../storage/tables.ts'
import { lexemeOf, mayBeRead, placeOf } from './note-filter.ts'
import { notesByMeaning, signsOf } from './notes-by-meaning.ts'
import { notesByWords } from './notes-by-words.ts'
import { VectorIndex } from './vector-index.ts'

const CANDIDATES = 100
const BATCH = 200
const LARGEST_SIZE = 32_767

export function createSpaceNoteStore(
  database: Database,
  vectorIndex = new VectorIndex(),
): SpaceNoteStore {
  return {
    async put(notes, form) {
      // One statement may write a row once.
      const last = new Map(notes.map((note) => [`${note.space}\0${note.source}\0${note.id}`, note]))
      const rows = [...last.values()]
      for (let start = 0; start < rows.length; start += BATCH) {
        const batch = rows.slice(start, start + BATCH)
        await database.use((db) => insert(db, batch, form))
      }
    },

    async remove(space, source, ids) {
      if (ids.length === 0) return
      await database.use((db) =>
        sql`delete from shared_notes where space_id = ${space} and source = ${source}
          and id = any(${[...ids]}::text[])`.execute(db),
      )
    },

    async find(asked) {
      const { spaces, vector, user } = asked
      if (spaces.length === 0) return []
      const near = async (db: Kysely<Tables>) => {
        if (!vector) return []
        const way = await vectorIndex.wayFor(db, asked)
        return notesByMeaning(db, asked, vector, { limit: CANDIDATES, way })
      }
      const [words, nearest] = await database.use((db) =>
        Promise.all([notesByWords(db, asked, CANDIDATES), near(db)]),
      )
      const keys = [...new Set([...words, ...nearest].map(({ id }) => id))]
      const rows = keys.length > 0 ? await database.use((db) => rowsOf(db, user, keys)) : []
      const byWords = new Map(words.map((hit) => [hit.id, hit]))
      const cosines = new Map(nearest.map(({ id, score }) => [id, score]))
      return rows.map((row) => ({
        note: noteOf(row, row.made >= asked.form),
        words: byWords.get(row.key)?.score,
        matched: byWords.get(row.key)?.matched,
        nearness: cosines.get(row.key),
      }))
    },

    withoutNote: (spaces, form, limit) =>
      database.use(async (db) => {
        if (spaces.length === 0) return []
        const { rows } = await sql<NoteRow>`
          select d.space_id, d.project, 'discovery' as source, d.id, d.type, d.module, null as session, d.content,
            d.created_at as date, d.user_id as author, d.access_count, 0 as made
          from discoveries d where d.space_id = any(${[...spaces]}::text[]) and not exists (
            select 1 from shared_notes n
            where n.space_id = d.space_id and n.source = 'discovery' and n.id = d.id and n.made >= ${form})
          limit ${limit}`.execute(db)
        return rows.map((row) => ({
          ...noteOf(row, false),
          space: row.space_id,
          project: row.project,
          author: row.author,
        }))
      }),
  }
}

interface NoteRow {
  readonly key: number
  readonly space_id: string
  readonly project: string
  readonly author: string
  readonly source: 'discovery' | 'session'
  readonly id: string
  readonly type: NoteType | null
  readonly module: string | null
  readonly session: string | null
  readonly content: string
  readonly date: string
  readonly access_count: number
  readonly made: number
}

async function rowsOf(
  db: Kysely<Tables>,
  user: string,
  keys: readonly number[],
): Promise<readonly NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select key, source, id, type, module, session, content, date, access_count, made
    from shared_notes where key = any(${[...keys]}::bigint[]) and ${mayBeRead(user)}`.execute(db)
  return rows
}

/** Redacted as it is read, where the rules may be newer than the row. */
function noteOf(
  row: NoteRow,
  isRedacted: boolean,
): Omit<SpaceNote, 'space' | 'project' | 'author'> {
  return {
    id: row.id,
    source: row.source,
    content: isRedacted ? row.content : redact(row.content),
    date: row.date,
    accessCount: row.access_count,
    ...(row.type === null ? {} : { type: row.type }),
    ...(row.module === null ? {} : { module: row.module }),
    ...(row.session === null ? {} : { session: row.session }),
  }
}

async function insert(db: Kysely<Tables>, notes: readonly ReadNote[], form: number): Promise<void> {
  const rows = notes.map((note) => {
    const place = placeOf(note.space, note.project)
    const terms = note.terms.map((term) => lexemeOf(term, place))
    const { vector } = note
    const bytes = vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
    return sql`(${note.space}, ${note.project}, ${note.source}, ${note.id}, ${note.type ?? null}, ${note.module ?? null},
      ${note.session ?? null}, ${withoutNul(note.content)}, ${note.date}, ${note.author}, ${note.accessCount ?? 0}::integer, ${form}::integer,
      array_to_tsvector(${terms.map(withoutNul)}::text[]), ${Math.min(terms.length, LARGEST_SIZE)}::smallint,
      ${vector ? signsOf(vector) : null}::text::bit(256), ${bytes ?? null}::bytea)`
  })
  await sql`insert into shared_notes (space_id, project, source, id, type, module, session, content, date, author,
      access_count, made, terms, size, signs, vector) values ${sql.join(rows)}
    on conflict (space_id, source, id) do update set project = excluded.project, type = excluded.type,
      module = excluded.module, session = excluded.session, content = excluded.content, date = excluded.date,
      access_count = excluded.access_count, made = excluded.made, terms = excluded.terms, size = excluded.size,
      signs = excluded.signs, vector = excluded.vector`.execute(db)
}

/** PostgreSQL stores no text with it. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
