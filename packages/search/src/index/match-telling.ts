import { matchAny } from './match-any.ts'

/** So many rows can be ranked while somebody waits: each takes a microsecond or two. */
const MOST_RANKED = 30_000

/**
 * An FTS5 query for the rows with any of the terms. Where these are too many, it gives only the rows with
 * one of the rarer terms. There the common terms still count: reading where they occur is cheap, ranking
 * every row that has one is not. Each term is named twice then, so that all keep their share of the score.
 */
export function matchTelling(frequencies: ReadonlyMap<string, number>, most = MOST_RANKED): string {
  const byRarity = [...frequencies].sort(([, a], [, b]) => a - b)
  const rare: string[] = []
  let rows = 0
  for (const [term, count] of byRarity) {
    if (rare.length > 0 && rows + count > most) break
    rare.push(term)
    rows += count
  }
  if (rare.length === frequencies.size) return matchAny([...frequencies.keys()])
  const common = byRarity.slice(rare.length).map(([term]) => term)
  return `(${matchAny(rare)}) AND (${matchAny([...rare, ...common, ...common])})`
}
