import { stem } from '../text/stem.ts'
import type { FileRole } from './file-role.ts'
import type { ChunkHit, DefinitionHit, Hit } from './index-store.ts'
import { exactNameMatch, nameMatch } from './path-words.ts'
import type { RememberedFile } from './project-memory.ts'
import type { Query } from './query.ts'

/**
 * What each signal weighs. Fitted as one linear model over ten repositories, each judged by the nine others, then rounded:
 * docs/search.md has the method and what each is worth. Every signal lies between 0 and 1 (a standard score around 0 for meaning).
 */
export const FILE_WEIGHTS = {
  chunks: 2.2,
  words: 0.8,
  meaning: 0.35,
  passages: 1,
  name: 0.9,
  nameStart: 0.9,
  path: 0.6,
  compound: 0.7,
  definition: 2.2,
} as const

export const ROLE_PENALTIES: Readonly<Record<FileRole, number>> = {
  test: 2.6,
  example: 0.8,
  compat: 0.5,
  declaration: 0.6,
  otherPlatform: 2,
  prose: 1,
}

/** A query that asks for tests is not to be kept from them. */
const ROLE_WORDS: Readonly<Partial<Record<FileRole, RegExp>>> = {
  test: /^(tests?|testing|specs?|mocks?|fixtures?)$/,
  example: /^(examples?|samples?|demos?|benchmarks?|docs?|documentation|tutorials?)$/,
  compat: /^(compat|compatibility|legacy|deprecated|polyfills?|shims?)$/,
  declaration: /^(headers?|declarations?|stubs?|typings?)$/,
  otherPlatform: /^(windows|win32|win|macos|darwin|osx|android|ios|solaris|aix)$/,
  prose: /^(readme|docs?|documentation|changelog|configuration|config|settings|guide)$/,
}

export interface FileEvidence {
  readonly chunkHits: readonly ChunkHit[]
  readonly fileHits: readonly Hit[]
  readonly definitions: readonly DefinitionHit[]
  /** The chunks nearest in meaning, best first. */
  readonly nearChunks: readonly ChunkHit[]
  /** Cosine of a file's own vector, for the files that have one. */
  readonly similarities: ReadonlyMap<number, number>
  /** How much each term of the query tells, as shares of one. */
  readonly termShares: ReadonlyMap<string, number>
}

export interface RankedFile {
  readonly file: RememberedFile
  readonly score: number
  readonly factors: Readonly<Record<string, number>>
}

/** Files before chunks: several weak hits in the right file say more than one strong hit in the wrong one. */
export function rankFiles(query: Query, files: Iterable<RememberedFile>, evidence: FileEvidence): RankedFile[] {
  const chunks = scaledToOne(sumOfBest(evidence.chunkHits))
  const words = scaledToOne(new Map(evidence.fileHits.map(({ id, score }) => [id, score])))
  const passages = nearest(evidence.nearChunks)
  const meaning = standardScores(evidence.similarities)
  const definition = bestWeight(evidence.definitions, new Set(query.names))
  const compounds = compoundCounts(evidence.definitions, new Set(query.compounds))
  const queryStems = new Set(query.words.map(stem))
  const compoundNames = new Set(query.compounds)
  const waived = (role: FileRole) => query.words.some((word) => ROLE_WORDS[role]?.test(word))

  const ranked: RankedFile[] = []
  for (const file of files) {
    const signals = {
      chunks: chunks.get(file.id) ?? 0,
      words: words.get(file.id) ?? 0,
      meaning: meaning.get(file.id) ?? 0,
      passages: passages.get(file.id) ?? 0,
      name: exactNameMatch(file.words, queryStems),
      nameStart: nameMatch(file.words, query),
      path: pathShare(file, evidence.termShares),
      compound: Math.min(2, (compounds.get(file.id) ?? 0) + (compoundNames.has(file.words.wholeName) ? 1 : 0)),
      definition: definition.get(file.id) ?? 0,
    }
    if (signals.chunks + signals.words + signals.name + signals.nameStart + signals.definition === 0 && signals.meaning < 1)
      continue
    const factors: Record<string, number> = {}
    let score = 0
    for (const [name, weight] of Object.entries(FILE_WEIGHTS)) {
      const value = signals[name as keyof typeof FILE_WEIGHTS] * weight
      if (value !== 0) factors[name] = value
      score += value
    }
    for (const role of file.roles) {
      if (waived(role)) continue
      factors[role] = -ROLE_PENALTIES[role]
      score -= ROLE_PENALTIES[role]
    }
    ranked.push({ file, score, factors })
  }
  return ranked.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
}

const BEST_CHUNKS = 5

function sumOfBest(hits: readonly ChunkHit[], most: number = BEST_CHUNKS): Map<number, number> {
  const sums = new Map<number, number>()
  const counts = new Map<number, number>()
  // Hits come best first.
  for (const { fileId, score } of hits) {
    const seen = counts.get(fileId) ?? 0
    if (seen >= most) continue
    counts.set(fileId, seen + 1)
    sums.set(fileId, (sums.get(fileId) ?? 0) + score)
  }
  return sums
}

const NEAR_CHUNKS = 3

/** The mean of a file's nearest chunks, from 0 for the farthest that was still looked at to 1 for the nearest of all. */
function nearest(hits: readonly ChunkHit[]): Map<number, number> {
  const floor = hits.at(-1)?.score ?? 0
  const spread = (hits[0]?.score ?? 0) - floor || 1
  const sums = sumOfBest(
    hits.map((hit) => ({ ...hit, score: (hit.score - floor) / spread })),
    NEAR_CHUNKS,
  )
  return new Map([...sums].map(([id, sum]) => [id, sum / NEAR_CHUNKS]))
}

function scaledToOne(scores: ReadonlyMap<number, number>): Map<number, number> {
  const most = Math.max(...scores.values(), 0)
  return new Map([...scores].map(([id, score]) => [id, most > 0 ? score / most : 0]))
}

function standardScores(values: ReadonlyMap<number, number>): Map<number, number> {
  if (values.size < 2) return new Map()
  let sum = 0
  let squares = 0
  for (const value of values.values()) {
    sum += value
    squares += value * value
  }
  const mean = sum / values.size
  const deviation = Math.sqrt(Math.max(squares / values.size - mean * mean, 1e-9))
  return new Map([...values].map(([id, value]) => [id, (value - mean) / deviation]))
}

function bestWeight(hits: readonly DefinitionHit[], names: ReadonlySet<string>): Map<number, number> {
  const best = new Map<number, number>()
  for (const { fileId, term, weight } of hits) if (names.has(term)) best.set(fileId, Math.max(best.get(fileId) ?? 0, weight))
  return best
}

function compoundCounts(hits: readonly DefinitionHit[], compounds: ReadonlySet<string>): Map<number, number> {
  const terms = new Map<number, Set<string>>()
  for (const { fileId, term } of hits) {
    if (!compounds.has(term)) continue
    const seen = terms.get(fileId) ?? new Set()
    terms.set(fileId, seen.add(term))
  }
  return new Map([...terms].map(([id, seen]) => [id, seen.size]))
}

function pathShare(file: RememberedFile, shares: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [term, share] of shares) if (file.words.stems.has(term)) sum += share
  return sum
}
