import type { Hit } from '../../../context/search/index-store.ts'
import type { Run } from './connection.ts'

const K1 = 1.2
const B = 0.75
/** PostgreSQL ranks without regard to how rare a term is: so many of its best are ranked again. */
const RANKED_AGAIN = 600

interface TermRow {
  readonly id: number
  readonly length: number
  readonly lexeme: string
  readonly weights: readonly string[]
}

/** What a term counts in each part, by its tsvector label. */
export type LabelWeights = Readonly<Record<string, number>>

/** The same BM25 as SQLite's, over a table with the columns project, terms and length. */
export async function findByTerms(
  run: Run,
  table: { readonly name: string; readonly id: string },
  project: string,
  terms: readonly string[],
  weights: LabelWeights,
  limit: number,
): Promise<Hit[]> {
  if (terms.length === 0) return []
  const query = terms.map((term) => `'${term.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`).join(' | ')
  const [[size], counts, rows] = await Promise.all([
    run<{ n: number; average: number }>(
      `select count(*)::int as n, coalesce(avg(length), 1)::float as average from ${table.name} where project = $1`,
      [project],
    ),
    documentCounts(run, table.name, project, terms),
    run<TermRow>(
      `with best as (
         select ${table.id} as id, length, terms from ${table.name}
         where project = $1 and terms @@ $2::tsquery order by ts_rank(terms, $2::tsquery) desc limit ${Math.max(RANKED_AGAIN, limit)}
       ) select best.id, best.length, t.lexeme, t.weights from best, unnest(best.terms) t where t.lexeme = any($3)`,
      [project, query, terms],
    ),
  ])
  const scores = new Map<number, number>()
  for (const row of rows) {
    const found = counts.get(row.lexeme) ?? 0
    const tells = Math.max(Math.log(((size?.n ?? 0) - found + 0.5) / (found + 0.5)), 1e-6)
    const frequency = row.weights.reduce((sum, label) => sum + (weights[label] ?? 1), 0)
    const share = (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * row.length) / (size?.average || 1)))
    scores.set(row.id, (scores.get(row.id) ?? 0) + tells * share)
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

export async function documentCounts(
  run: Run,
  table: string,
  project: string,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const rows = await run<{ term: string; n: number }>(
    `select term, (select count(*)::int from ${table} where project = $1 and terms @@ quote_literal(term)::tsquery) as n from unnest($2::text[]) as term`,
    [project, terms],
  )
  return new Map(rows.map(({ term, n }) => [term, n]))
}
