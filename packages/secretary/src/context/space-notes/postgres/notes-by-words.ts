import { type Kysely, sql } from 'kysely'
import type { SpaceNoteQuestion } from '../space-note-store.ts'
import type { Hit } from '@secretary-mcp/search/index-store.ts'
import type { Tables } from '../../../storage/tables.ts'
import { isAskedFor, lexemeOf, placeOf } from './note-filter.ts'

/** One bit for each in a number of the database. */
const MOST_TERMS = 31
/** Of more, the index is asked for all places at once. */
const MOST_PLACES = 40
/** So many rows are scored here; of more, those that have most of the terms. */
const MOST_ROWS = 5_000
/** As BM25 usually has them. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

interface MatchedRow {
  readonly key: number
  readonly size: number
  /** A bit for each term that it has. */
  readonly matched: number
}

/** With the terms that it has, unless there were more than can be told. */
export interface WordHit extends Hit {
  readonly matched?: ReadonlySet<string>
}

/** Notes with any of the terms, best first. A term counts by how rare it is among what matches. */
export async function notesByWords(
  db: Kysely<Tables>,
  asked: SpaceNoteQuestion,
  limit: number,
): Promise<WordHit[]> {
  const terms = asked.terms.slice(0, MOST_TERMS)
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
    order by bit_count(matched::bit(32)) desc, key desc limit ${sql.lit(MOST_ROWS)}`.execute(db)
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
  if (places.length > MOST_PLACES) return [terms.map(atAnyPlace).join(' | ')]
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
