import { createHash } from 'node:crypto'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Hit } from '@secretary-mcp/search/index-store.ts'
import type { NoteType } from '@secretary-mcp/search/search-types.ts'
import { expressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Shared, spacesFor } from '../../../spaces/store/space-filters.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tables } from '../../../storage/tables.ts'
import type { ReadNote, SpaceNote, SpaceNoteQuestion, SpaceNoteStore } from '../space-notes.ts'

const MAX_TERM = 200
const PLACE_LENGTH = 8

/** So many by the signs of their vectors; of these the nearest are found exactly. */
const LIKELY = 400
const LIKELY_BY: Readonly<Record<WayToNear, FindLikely>> = {
  scan: likelyByScan,
  'wide scan': (db, asked, vector) =>
    db.transaction().execute(async (trx) => {
      await sql`set local max_parallel_workers_per_gather = 2`.execute(trx)
      return likelyByScan(trx, asked, vector)
    }),
  index: likelyByIndex,
}

/** One bit for each in a number of the database. */
const MAX_TERMS = 31
/** Of more, the index is asked for all places at once. */
const MAX_PLACES = 40
/** So many rows are scored here; of more, those that have most of the terms. */
const MAX_ROWS = 5_000
/** As BM25 usually has them. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** Up to so many notes, comparing all of them is quicker than searching an index for those that may be read. */
const MAX_SCANNED = 60_000
const AGAIN_AFTER_MS = 300_000

const CANDIDATES = 100
const BATCH = 200
const MAX_SIZE_SIZE = 32_767

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
      array_to_tsvector(${terms.map(withoutNul)}::text[]), ${Math.min(terms.length, MAX_SIZE_SIZE)}::smallint,
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

/** Whether to ask the index of pgvector, if there is one: looked up now and then, because it only decides which way is quicker. */
export class VectorIndex {
  readonly #mostScanned: number
  readonly #known = new Map<string, { readonly way: WayToNear; readonly atMs: number }>()

  constructor(mostScanned = MAX_SCANNED) {
    this.#mostScanned = mostScanned
  }

  async wayFor(db: Kysely<Tables>, { user, projects }: SpaceNoteQuestion): Promise<WayToNear> {
    const key = JSON.stringify([user, projects])
    const known = this.#known.get(key)
    if (known && performance.now() - known.atMs < AGAIN_AFTER_MS) return known.way
    const isLarge = await this.#isLarge(db, user, projects)
    const way = !isLarge ? 'scan' : (await isThere(db)) ? 'index' : 'wide scan'
    this.#known.set(key, { way, atMs: performance.now() })
    return way
  }

  async #isLarge(db: Kysely<Tables>, user: string, projects: readonly string[]): Promise<boolean> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from (
        select 1 from shared_notes where ${mayBeRead(user)} and project in (${sql.join(projects)})
        limit ${sql.lit(this.#mostScanned + 1)}) counted`.execute(db)
    return Number(rows[0]?.total ?? 0) > this.#mostScanned
  }
}

async function isThere(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension, pg_index
    where extname = 'vector' and indisvalid and indexrelid = to_regclass('shared_notes_by_signs')`.execute(
    db,
  )
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number)
  return major > 0 || minor >= 8
}

interface MatchedRow {
  readonly key: number
  readonly size: number
  /** A bit for each term that it has. */
  readonly matched: number
}

/** With the terms that it has, unless there were more than can be told. */
interface WordHit extends Hit {
  readonly matched?: ReadonlySet<string>
}

/** Notes with any of the terms, best first. A term counts by how rare it is among what matches. */
async function notesByWords(
  db: Kysely<Tables>,
  asked: SpaceNoteQuestion,
  limit: number,
): Promise<WordHit[]> {
  const terms = asked.terms.slice(0, MAX_TERMS)
  if (terms.length === 0) return []
  const bits = terms.map(
    (term, nth) =>
      sql`case when terms @@ ${atAnyPlace(term)}::text::tsquery then ${sql.lit(2 ** nth)} else 0 end`,
  )
  // A scan of the index for each place. In one condition so many terms would seem common, and the whole table be read.
  const { rows } = await sql<MatchedRow>`
    with found as materialized (
      select key, size, ${sql.join(bits, sql` + `)} as matched, space_id, project, source, type, module
      from unnest(${wordsAtPlaces(asked, terms)}::text[]) wanted
      join shared_notes on terms @@ wanted::tsquery)
    select key, size, matched from found where ${isAskedFor(asked)}
    order by bit_count(matched::bit(32)) desc, key desc limit ${sql.lit(MAX_ROWS)}`.execute(db)
  const isAll = terms.length === asked.terms.length
  const bitsOf = new Map(rows.map(({ key, matched }) => [key, matched]))
  const matchedBy = (bits = 0) => new Set(terms.filter((_, nth) => hasBit(bits, nth)))
  return scored(rows, terms.length)
    .slice(0, limit)
    .map((hit) => (isAll ? { ...hit, matched: matchedBy(bitsOf.get(hit.id)) } : hit))
}

/** For each place where to look, any of the terms; of very many places, any of the terms wherever they are. */
function wordsAtPlaces(
  { spaces, projects }: SpaceNoteQuestion,
  terms: readonly string[],
): string[] {
  const places = spaces.flatMap((space) => projects.map((project) => placeOf(space, project)))
  if (places.length > MAX_PLACES) return [terms.map(atAnyPlace).join(' | ')]
  return places.map((place) => terms.map((term) => quoted(lexemeOf(term, place))).join(' | '))
}

function atAnyPlace(term: string): string {
  return `${quoted(lexemeOf(term))}:*`
}

function scored(rows: readonly MatchedRow[], terms: number): Hit[] {
  const counts = Array.from({ length: terms }, (_, nth) =>
    rows.reduce((sum, { matched }) => (hasBit(matched, nth) ? sum + 1 : sum), 0),
  )
  const worth = counts.map((count) => Math.log(1 + (rows.length - count + 0.5) / (count + 0.5)))
  const usual = rows.reduce((sum, { size }) => sum + size, 0) / (rows.length || 1)
  return rows
    .map(({ key, size, matched }) => {
      const sum = worth.reduce((all, one, nth) => (hasBit(matched, nth) ? all + one : all), 0)
      const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * size) / (usual || 1)
      return { id: key, score: (sum * (SATURATION + 1)) / (1 + SATURATION * length) }
    })
    .sort((a, b) => b.score - a.score)
}

function hasBit(bits: number, nth: number): boolean {
  return (bits & (1 << nth)) !== 0
}

/** So that no term can be an operator. */
function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

interface VectorRow {
  readonly key: number
  readonly vector: Buffer
}

/** How notes that may be near are found: by comparing all that the user may read, by several processes at once, or by an index. */
type WayToNear = 'scan' | 'wide scan' | 'index'

/**
 * The nearest notes, the nearest first. Their signs tell which may be near: all that the user may read are compared, which takes
 * milliseconds for tens of thousands; of more, an index of pgvector gives those that may be near.
 */
async function notesByMeaning(
  db: Kysely<Tables>,
  asked: SpaceNoteQuestion,
  vector: Int8Array,
  { limit, way }: { readonly limit: number; readonly way: WayToNear },
): Promise<Hit[]> {
  const rows = await LIKELY_BY[way](db, asked, vector)
  return rows
    .map(({ key, vector: bytes }) => ({ id: key, score: cosine(vector, bytes) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

type FindLikely = (
  db: Kysely<Tables>,
  asked: SpaceNoteQuestion,
  vector: Int8Array,
) => Promise<VectorRow[]>

async function likelyByScan(db: Kysely<Tables>, asked: SpaceNoteQuestion, vector: Int8Array) {
  const differing = sql`(signs # ${signsOf(vector)}::text::bit(256)) & ${strongOf(vector)}::text::bit(256)`
  const { rows } = await sql<VectorRow>`
    select key, vector from shared_notes where key = any(array(
      select key from shared_notes where signs is not null and ${isAskedFor(asked)}
      order by bit_count(${differing}) limit ${sql.lit(LIKELY)}))`.execute(db)
  return rows
}

/** Goes on in the index until enough of what it finds may be read. */
function likelyByIndex(db: Kysely<Tables>, asked: SpaceNoteQuestion, vector: Int8Array) {
  return db.transaction().execute(async (trx) => {
    await sql`set local hnsw.iterative_scan = relaxed_order`.execute(trx)
    await sql`set local hnsw.ef_search = ${sql.lit(LIKELY)}`.execute(trx)
    const { rows } = await sql<VectorRow>`
      select key, vector from shared_notes where signs is not null and ${isAskedFor(asked)}
      order by signs <~> ${signsOf(vector)}::text::bit(256) limit ${sql.lit(LIKELY)}`.execute(trx)
    return rows
  })
}

/** One digit for each cell. */
function signsOf(vector: Int8Array): string {
  return Array.from(vector, (cell) => (cell > 0 ? '1' : '0')).join('')
}

/** Marks the stronger half of the cells: a sign of a cell that is nearly nothing tells little, and misleads as often. */
function strongOf(vector: Int8Array): string {
  const sizes = Array.from(vector, Math.abs)
  const usual = sizes.toSorted((a, b) => a - b)[sizes.length >> 1] ?? 0
  return sizes.map((size) => (size >= usual ? '1' : '0')).join('')
}

function cosine(one: Int8Array, bytes: Buffer): number {
  const other = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (other.length !== one.length) return 0
  let product = 0
  let squares = 0
  let otherSquares = 0
  for (let at = 0; at < one.length; at++) {
    const a = one[at] as number
    const b = other[at] as number
    product += a * b
    squares += a * a
    otherSquares += b * b
  }
  return product / (Math.sqrt(squares * otherSquares) || 1)
}

/** What a question may look at. Spaces are read once for each statement, so that an index can be asked for all of them. */
function isAskedFor(asked: SpaceNoteQuestion): RawBuilder<boolean> {
  const conditions = [
    mayBeRead(asked.user),
    sql`project in (${sql.join(asked.projects)})`,
    ...(asked.sources.length < 2 ? [sql`source in (${sql.join(asked.sources)})`] : []),
    ...(asked.type ? [sql`type = ${asked.type}`] : []),
    ...(asked.module ? [sql`module = ${asked.module}`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function mayBeRead(user: string): RawBuilder<boolean> {
  const spaces = spacesFor(expressionBuilder<Tables, Shared>(), user, 'read')
  return sql<boolean>`space_id = any(array(${spaces}))`
}

/**
 * A term as it is stored: with the place of its note, because a word that is common everywhere is rare in one space, and the
 * index then reads nothing of the others. Without a place it is what the term begins with at every place.
 */
function lexemeOf(term: string, place = ''): string {
  return `${term.slice(0, MAX_TERM)} ${place}`
}

function placeOf(space: string, project: string): string {
  return createHash('sha256')
    .update(`${space}\0${project}`)
    .digest('base64url')
    .slice(0, PLACE_LENGTH)
}
