import type { ResultSource } from '@secretary-mcp/search/search-types.ts'

interface Ranked {
  readonly source: ResultSource
  readonly score: number
  readonly session: string | null
}

/** The share of the places that each kind has for itself; what a kind does not fill goes to the best of the others. */
const SHARES: Readonly<Record<ResultSource, number>> = { session: 0.4, discovery: 0.2, code: 0.4 }
/** A note below this shares a word with the question and hardly more; the right dialogs of 48 questions had 0.27 and up. */
const MIN_SCORE = 0.25

/**
 * The best of all kinds, best first. Scores of code and of notes are made in different ways, and a project has far more
 * code: without places of their own, dialogs would hardly ever be among the first.
 */
export function keepPlaces<T extends Ranked>(results: readonly T[], limit: number): T[] {
  const chosen = new Set<T>()
  for (const source of Object.keys(SHARES) as ResultSource[]) {
    const places = Math.round(SHARES[source] * limit)
    for (const result of ofKind(results, source).slice(0, places))
      if (chosen.size < limit && result.score >= MIN_SCORE) chosen.add(result)
  }
  for (const result of results) if (chosen.size < limit) chosen.add(result)
  return results.filter((result) => chosen.has(result))
}

/** Of dialogs, each one once before any comes again. */
function ofKind<T extends Ranked>(results: readonly T[], source: ResultSource): T[] {
  const found = results.filter((result) => result.source === source)
  const seen = new Set<string>()
  const isFirst = ({ session }: T) =>
    session === null || (!seen.has(session) && seen.add(session) !== undefined)
  const first = new Set(found.filter(isFirst))
  return [...first, ...found.filter((result) => !first.has(result))]
}
