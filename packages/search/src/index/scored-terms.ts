import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Hit } from '../index-store.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import { rowsOf } from '@secretary-mcp/core/sqlite/rows-of.ts'
import { matchAny } from './match-any.ts'
import { addScores, packScores, type Scored } from './score-list.ts'

/** When so large a share of the chunks has come since, common terms are scored again. */
const MOST_NEW = 0.05
/** What a common term adds to a chunk that came later, of the most that it adds to any: to rank even one chunk, FTS5 reads the whole list. */
const USUAL_SHARE = 0.5

export interface ScoredTerms {
  /** Undefined where none of the terms has been scored. */
  find(terms: readonly string[], limit: number): Hit[] | undefined
  scoreCommonTerms(signal?: AbortSignal): Promise<void>
}

/**
 * FTS5 takes a microsecond to rank a row, and a common term is in a hundred thousand. A row's score is the sum of what
 * each term adds, so for common terms that is worked out ahead, by FTS5 itself; terms without a list are
 * ranked when asked for. Lists may name chunks that are gone.
 */
export function sqliteScoredTerms(db: DatabaseSyncInstance, score: string): ScoredTerms {
  const newest = db.prepare('SELECT max(last_id) AS id FROM scored_terms')
  const lists = db.prepare(
    'SELECT term, most, scores AS bytes FROM scored_terms WHERE +last_id = ? AND term IN (SELECT value FROM json_each(?))',
  )
  const ranked = db.prepare(
    `SELECT rowid AS id, ${score} AS score FROM chunk_terms WHERE chunk_terms MATCH ? AND rowid <= ? + 0`,
  )
  ranked.setReturnArrays(true)
  const after = db.prepare(
    'SELECT rowid AS id FROM chunk_terms WHERE chunk_terms MATCH ? AND rowid > ? + 0',
  )
  const lastChunk = db.prepare('SELECT coalesce(max(id), 0) AS id FROM chunks')
  const unscored = db.prepare(
    `SELECT term FROM common_terms WHERE chunks * 2 < (SELECT n FROM totals WHERE name = 'chunks')
     AND term NOT IN (SELECT term FROM scored_terms WHERE last_id = ?)`,
  )
  const keep = db.prepare(
    'INSERT OR REPLACE INTO scored_terms (term, last_id, most, scores) VALUES (?, ?, ?, ?)',
  )
  const idOf = (statement: typeof newest) => (statement.get() as { id: number | null }).id ?? 0
  let sums = new Float32Array(0)

  return {
    find(terms, limit) {
      const last = idOf(newest)
      const known = last > 0 ? rowsOf<ListRow>(lists, last, JSON.stringify(terms)) : []
      if (known.length === 0) return undefined
      if (sums.length <= last) sums = new Float32Array(last + 1)
      else sums.fill(0)
      for (const list of known) addScores(list, sums)
      const scored = new Set(known.map(({ term }) => term))
      const others = terms.filter((term) => !scored.has(term))
      const recent = new Map<number, number>()
      for (const { term, most } of known)
        for (const { id } of rowsOf<{ id: number }>(after, matchAny([term]), last))
          recent.set(id, (recent.get(id) ?? 0) + most * USUAL_SHARE)
      if (others.length > 0)
        for (const [id, score] of rowsOf<Scored>(ranked, matchAny(others), Number.MAX_SAFE_INTEGER))
          if (id > last) recent.set(id, (recent.get(id) ?? 0) + score)
          else (sums[id] as number) += score
      return best(sums, recent, limit)
    },
    async scoreCommonTerms(signal) {
      const now = idOf(lastChunk)
      const before = idOf(newest)
      const last = now - before > now * MOST_NEW ? now : before
      for (const { term } of rowsOf<{ term: string }>(unscored, last)) {
        const { most, bytes } = packScores(rowsOf<Scored>(ranked, matchAny([term]), last))
        keep.run(term, last, most, bytes)
        await turn(undefined, { signal })
      }
    },
  }
}

interface ListRow {
  readonly term: string
  readonly most: number
  readonly bytes: Uint8Array
}

function best(sums: Float32Array, recent: ReadonlyMap<number, number>, limit: number): Hit[] {
  return highestFirst(sums, limit)
    .map((id) => ({ id, score: sums[id] as number }))
    .filter(({ score }) => score > 0)
    .concat([...recent].map(([id, score]) => ({ id, score })))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
