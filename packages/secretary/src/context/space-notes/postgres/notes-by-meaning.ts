import { type Kysely, sql } from 'kysely'
import type { SpaceNoteQuestion } from '../space-note-store.ts'
import type { Hit } from '@secretary-mcp/search/index-store.ts'
import type { Tables } from '../../../storage/tables.ts'
import { isAskedFor } from './note-filter.ts'

/** So many by the signs of their vectors; of these the nearest are found exactly. */
const LIKELY = 400

interface VectorRow {
  readonly key: number
  readonly vector: Buffer
}

/** How notes that may be near are found: by comparing all that the user may read, by several processes at once, or by an index. */
export type WayToNear = 'scan' | 'wide scan' | 'index'

/**
 * The nearest notes, the nearest first. Their signs tell which may be near: all that the user may read are compared, which takes
 * milliseconds for tens of thousands; of more, an index of pgvector gives those that may be near.
 */
export async function notesByMeaning(
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

const LIKELY_BY: Readonly<Record<WayToNear, FindLikely>> = {
  scan: likelyByScan,
  'wide scan': (db, asked, vector) =>
    db.transaction().execute(async (trx) => {
      await sql`set local max_parallel_workers_per_gather = 2`.execute(trx)
      return likelyByScan(trx, asked, vector)
    }),
  index: likelyByIndex,
}

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
export function signsOf(vector: Int8Array): string {
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
