import type { ChunkHit, DefinitionHit } from '../index-store.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import type { Similarities } from '../vectors/vector-matrix.ts'
import type { PastChanges } from './past-changes.ts'
import type { Query } from './query.ts'

/** What the parts of the index said about a query. */
export interface Evidence {
  /** The chunks with the query's words, best first. */
  readonly chunkHits: readonly ChunkHit[]
  /** The chunks nearest in meaning, best first. */
  readonly nearChunks: readonly ChunkHit[]
  readonly definitions: readonly DefinitionHit[]
  /** Cosine of each file's own vector. */
  readonly similarities: Similarities | undefined
  /** How much each term of the query tells, as shares of one. */
  readonly termShares: ReadonlyMap<string, number>
  /** How much of the question stands word for word in a file. */
  readonly pasted: ReadonlyMap<number, number>
  /** How much a text in a file is like the message that was asked for in another language. */
  readonly said: ReadonlyMap<number, number>
  /** Files that the question names, as a stack trace does. */
  readonly traced: ReadonlyMap<number, number>
  readonly past: PastChanges
}

/** The same by file, each between 0 and 1, but for meaning, which counts in standard deviations. */
export interface FileEvidence {
  readonly chunks: ReadonlyMap<number, number>
  readonly passages: ReadonlyMap<number, number>
  readonly meaning: Meaning
  readonly definition: ReadonlyMap<number, number>
  readonly compound: ReadonlyMap<number, number>
}

/** Each file's nearness among all files of the project. */
export interface Meaning {
  of(fileId: number): number
  /** The files above a mark, or the best of them. */
  above(mark: number, most: number): number[]
}

const BEST_CHUNKS = 5
const NEAR_CHUNKS = 3

/** Several weak hits in the right file say more than one strong hit in the wrong one. */
export function evidenceByFile(query: Query, evidence: Evidence): FileEvidence {
  return {
    chunks: scaledToOne(sumOfBest(evidence.chunkHits, BEST_CHUNKS)),
    passages: nearness(evidence.nearChunks),
    meaning: standardScores(evidence.similarities),
    definition: bestWeights(query, evidence.definitions, ({ fileId }) => fileId),
    compound: distinctTerms(evidence.definitions, new Set(query.compounds)),
  }
}

/** Hits come best first. */
function sumOfBest(hits: readonly ChunkHit[], most: number): Map<number, number> {
  const sums = new Map<number, number>()
  const counts = new Map<number, number>()
  for (const { fileId, score } of hits) {
    const seen = counts.get(fileId) ?? 0
    if (seen >= most) continue
    counts.set(fileId, seen + 1)
    sums.set(fileId, (sums.get(fileId) ?? 0) + score)
  }
  return sums
}

/** The mean of a file's nearest chunks, from 0 for the farthest that was still looked at to 1 for the nearest of all. */
function nearness(hits: readonly ChunkHit[]): Map<number, number> {
  const floor = hits.at(-1)?.score ?? 0
  const spread = (hits[0]?.score ?? 0) - floor || 1
  const scaled = hits.map((hit) => ({ ...hit, score: (hit.score - floor) / spread / NEAR_CHUNKS }))
  return sumOfBest(scaled, NEAR_CHUNKS)
}

function scaledToOne(scores: Map<number, number>): Map<number, number> {
  let most = 0
  for (const score of scores.values()) most = Math.max(most, score)
  if (most > 0) for (const [id, score] of scores) scores.set(id, score / most)
  return scores
}

function standardScores(similarities: Similarities | undefined): Meaning {
  if (!similarities || similarities.scores.length < 2) return { of: () => 0, above: () => [] }
  const { scores, idOf, scoreOf } = similarities
  let sum = 0
  let squares = 0
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number
    sum += score
    squares += score * score
  }
  const mean = sum / scores.length
  const deviation = Math.sqrt(Math.max(squares / scores.length - mean * mean, 1e-9))
  return {
    of: (fileId) => (scoreOf(fileId) - mean) / deviation,
    above: (mark, most) =>
      highestFirst(scores, most)
        .filter((row) => (scores[row] as number) > mean + mark * deviation)
        .map(idOf),
  }
}

/** A name in another case is another name, more often than not: `session` is not the class `Session`. */
const OTHER_CASE_SHARE = 0.7

/** The best definition of a name asked for, for each file or chunk. */
export function bestWeights(
  query: Query,
  hits: readonly DefinitionHit[],
  key: (hit: DefinitionHit) => number,
): Map<number, number> {
  const names = new Set(query.names)
  const best = new Map<number, number>()
  for (const hit of hits) {
    if (!names.has(hit.term)) continue
    const weight = hit.weight * (query.identifiers.has(hit.name) ? 1 : OTHER_CASE_SHARE)
    best.set(key(hit), Math.max(best.get(key(hit)) ?? 0, weight))
  }
  return best
}

function distinctTerms(
  hits: readonly DefinitionHit[],
  wanted: ReadonlySet<string>,
): Map<number, number> {
  const terms = new Map<number, Set<string>>()
  for (const { fileId, term } of hits)
    if (wanted.has(term)) terms.set(fileId, (terms.get(fileId) ?? new Set()).add(term))
  return new Map([...terms].map(([id, seen]) => [id, seen.size]))
}
