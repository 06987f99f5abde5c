import type { Hit } from '../../../context/search/index-store.ts'
import type { IndexConnection } from './connection.ts'

const K1 = 1.2
const B = 0.75
/** Of the rows that hold the rarest of the terms, so many are ranked exactly. */
const RANKED = 600
/** A term that most rows hold still counts for a little more than none. */
const LEAST_WEIGHT = 1e-6

/** A table with the columns project, terms and length. */
export interface TermTable {
  readonly name: string
  readonly id: string
  /** What a term counts in each part, by its tsvector label. */
  readonly weights: Readonly<Record<string, number>>
}

interface Size {
  readonly rows: number
  readonly average: number
}

interface Found {
  readonly id: number
  readonly length: number
  readonly terms: string
}

/**
 * The same BM25 as SQLite's. PostgreSQL's own ranking knows nothing of how rare a term is and reads every row whole: here the rows
 * are first told apart by which terms they hold, which the index knows, and only the best are read.
 */
export async function findByTerms(
  { run, project, sizeOf }: IndexConnection,
  table: TermTable,
  frequencies: ReadonlyMap<string, number>,
  limit: number,
): Promise<Hit[]> {
  if (frequencies.size === 0) return []
  const size = await sizeOf(table.name)
  const tells = new Map(
    [...frequencies].map(([term, count]) => [term, inverseFrequency(count, size.rows)]),
  )
  const found = await run<Found>(
    `with held as (
       select c.id, c.length, sum(w.tells) as tells from unnest($2::text[], $3::float8[]) as w (term, tells)
       join lateral (
         select ${table.id} as id, length from ${table.name} where project = $1 and terms @@ quote_literal(w.term)::tsquery
       ) c on true
       group by c.id, c.length order by tells desc, c.length limit $4
     ) select held.id, held.length, t.terms::text as terms from held join ${table.name} t on t.${table.id} = held.id`,
    [project, [...tells.keys()], [...tells.values()], Math.max(RANKED, limit)],
  )
  return found
    .map((row) => ({ id: row.id, score: scoreOf(row, tells, table.weights, size) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

function inverseFrequency(count: number, rows: number): number {
  return Math.max(Math.log((rows - count + 0.5) / (count + 0.5)), LEAST_WEIGHT)
}

function scoreOf(
  row: Found,
  tells: ReadonlyMap<string, number>,
  weights: TermTable['weights'],
  { average }: Size,
): number {
  const damping = K1 * (1 - B + (B * row.length) / (average || 1))
  let score = 0
  for (const [term, weight] of tells) {
    const frequency = weightedFrequency(row.terms, term, weights)
    score += (weight * frequency * (K1 + 1)) / (frequency + damping)
  }
  return score
}

/** A tsvector reads `'router':3A,17 'words':5B`; a position without a letter has the label D. */
function weightedFrequency(vector: string, term: string, weights: TermTable['weights']): number {
  const entry = `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}':`
  for (let at = vector.indexOf(entry); at >= 0; at = vector.indexOf(entry, at + 1)) {
    // The end of a longer term may look like the beginning of this one.
    if (at > 0 && vector[at - 1] !== ' ') continue
    const end = vector.indexOf(' ', at + entry.length)
    const positions = vector.slice(at + entry.length, end < 0 ? undefined : end).split(',')
    return positions.reduce(
      (sum, position) => sum + (weights[/[A-D]$/.exec(position)?.[0] ?? 'D'] ?? 1),
      0,
    )
  }
  return 0
}

/** In how many rows each term occurs. */
export async function documentCounts(
  { run, project }: IndexConnection,
  table: Pick<TermTable, 'name'>,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const rows = await run<{ term: string; n: number }>(
    `select term, (select count(*)::int from ${table.name} where project = $1 and terms @@ quote_literal(term)::tsquery) as n from unnest($2::text[]) as term`,
    [project, terms],
  )
  return new Map(rows.map(({ term, n }) => [term, n]))
}
