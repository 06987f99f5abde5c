import { keptHistory } from '../history/kept-history.ts'
import type { ChunkHit, Hit, IndexStore } from '../index-store.ts'
import { isCoincidence } from '../languages/senses.ts'
import { centralFirst } from './central-files.ts'
import { CHUNKS_OF_A_FILE, type CodeHit, choosePassages, OPENED_FILES } from './choose-passages.ts'
import { isWorthShowing } from './floor.ts'
import { NO_PAST, pastChanges } from './past-changes.ts'
import { FEWEST_PASTED_WORDS, pastedShare } from './pasted-text.ts'
import type { ProjectMemory } from './project-memory.ts'
import { MOST_TERMS, type Query } from './query.ts'
import { rankFiles } from './rank-files.ts'
import { type Passage, saidIn } from './said-in.ts'
import { sharedTail } from './traced-paths.ts'

const CHUNK_CANDIDATES = 400
/** Terms in more than this share of the chunks are common. */
const COMMON_SHARE = 0.2
/** Beyond this share a term tells nothing: BM25 gives it no weight. */
const WORTHLESS_SHARE = 0.5
const FEWEST_TERMS = 4
const NEAR_CANDIDATES = 300
/** Passages in which a message is looked for word by word. */
const LOOKED_INTO = 120
const DEFINITION_CANDIDATES = 300

export async function searchCode(
  query: Query,
  vector: Int8Array | undefined,
  store: IndexStore,
  memory: ProjectMemory,
  passagesOfFile = CHUNKS_OF_A_FILE,
): Promise<CodeHit[]> {
  const names = [...new Set([...query.names, ...query.compounds])]
  const counted = await store.frequencies([...query.terms.keys()])
  const all = withoutLetters(withoutTranslated(query, counted))
  const frequencies = mostTelling(query, all, memory.chunkCount)
  if (isCoincidence(query.senses, (term) => (all.get(term) ?? 0) > 0)) return []
  const terms = [...frequencies.keys()]
  const [foundChunks, definitions] = await Promise.all([
    store.findChunks(tellingTerms(terms, frequencies, memory.chunkCount), CHUNK_CANDIDATES),
    store.findDefinitions(names, DEFINITION_CANDIDATES),
  ])
  const chunkHits = withFiles(foundChunks, memory)
  const near = vector && memory.chunkVectors.near(vector)
  const shares = termShares(frequencies, memory.chunkCount)
  const looked = await bestPassages(query, chunkHits, store)
  const pasted = pastedIn(query, looked)
  const ranked = rankFiles(query, memory, {
    chunkHits,
    definitions,
    nearChunks: near ? withFiles(await near.nearest(NEAR_CANDIDATES), memory) : [],
    similarities: vector && memory.fileVectors.similarities(vector),
    termShares: shares,
    pasted: pasted.files,
    said: saidIn(query.messageSenses, rarityIn(all, memory.chunkCount), looked),
    traced: tracedIn(query, memory),
    past: query.isLong ? pastChanges(query, await keptHistory(store)) : NO_PAST,
  })
  const ordered = query.asksHow ? await centralFirst(ranked, store, memory) : ranked
  const opened = ordered.slice(0, OPENED_FILES)
  const hits = await choosePassages(
    query,
    opened,
    { chunkHits, definitions, near, pasted: pasted.passages, passagesOfFile },
    store,
  )
  const covered = terms.reduce(
    (sum, term) => sum + ((frequencies.get(term) ?? 0) > 0 ? (shares.get(term) ?? 0) : 0),
    0,
  )
  const isTranslated = query.translatedTerms.size > 0
  return hits.filter(({ footing }) => isWorthShowing(footing, covered, isTranslated))
}

/** A word of another language that the project does not know counts only by its translation. */
function withoutTranslated(
  { translatedTerms }: Query,
  frequencies: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (translatedTerms.size === 0) return frequencies
  return new Map(
    [...frequencies].filter(([term, count]) => count > 0 || !translatedTerms.has(term)),
  )
}

/** A single letter beside words of which the project knows none is there by chance: `w` is a word in Polish. */
function withoutLetters(frequencies: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const words = [...frequencies].filter(([term]) => term.length > 1)
  const isChance = words.length > 0 && words.every(([, count]) => count === 0)
  return isChance ? new Map(words) : frequencies
}

/** A long question has many words: those count that are rare in the project and stand where the question says what it is about. */
function mostTelling(
  { terms }: Query,
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
): ReadonlyMap<string, number> {
  const all = [...frequencies]
  if (all.length <= MOST_TERMS) return frequencies
  const worth = ([term, count]: readonly [string, number]) =>
    count === 0 ? 0 : (terms.get(term) ?? 0) * Math.log(1 + chunks / count)
  return new Map(all.sort((a, b) => worth(b) - worth(a)).slice(0, MOST_TERMS))
}

/** The passages in which a message is looked for word by word; none where there is no message. */
async function bestPassages(
  { message, messageSenses }: Query,
  hits: readonly ChunkHit[],
  store: IndexStore,
): Promise<Passage[]> {
  if (message.words.length < FEWEST_PASTED_WORDS && messageSenses.length === 0) return []
  const fileOf = new Map(hits.slice(0, LOOKED_INTO).map(({ id, fileId }) => [id, fileId]))
  return (await store.chunks([...fileOf.keys()])).flatMap(({ id, content }) => {
    const fileId = fileOf.get(id)
    return fileId === undefined ? [] : [{ id, fileId, content }]
  })
}

/** Where the question, or its first line, stands word for word: how much of it, by passage and by file. */
function pastedIn({ message }: Query, looked: readonly Passage[]) {
  const files = new Map<number, number>()
  const passages = new Map<number, number>()
  for (const { id, fileId, content } of looked) {
    const share = pastedShare(message, content)
    if (share === 0) continue
    passages.set(id, share)
    files.set(fileId, Math.max(share, files.get(fileId) ?? 0))
  }
  return { files, passages }
}

/** Files of the project that the question names by the end of their path. */
function tracedIn({ traced }: Query, memory: ProjectMemory): Map<number, number> {
  const found = new Map<number, number>()
  if (traced.length === 0) return found
  for (const file of memory.files.values())
    for (const { path, weight } of traced) {
      const shared = sharedTail(path, file.path)
      const isSame = shared > 1 || (shared === 1 && shared === file.path.split('/').length)
      if (isSame) found.set(file.id, Math.max(found.get(file.id) ?? 0, weight))
    }
  return found
}

/** The common terms tell least and cost most: they are looked up only where there are too few others, the worthless only where there is none. */
function tellingTerms(
  terms: readonly string[],
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
): ReadonlyMap<string, number> {
  const found = terms
    .filter((term) => (frequencies.get(term) ?? 0) > 0)
    .sort((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0))
  const share = (term: string) => (frequencies.get(term) ?? 0) / chunks
  const telling = found.filter((term, nth) => nth === 0 || share(term) < WORTHLESS_SHARE)
  const wanted = telling.filter((term, nth) => nth < FEWEST_TERMS || share(term) < COMMON_SHARE)
  return new Map(wanted.map((term) => [term, frequencies.get(term) ?? 0]))
}

function withFiles(hits: readonly Hit[], memory: ProjectMemory): ChunkHit[] {
  return hits.flatMap(({ id, score }) => {
    const file = memory.fileOfChunk(id)
    return file ? [{ id, fileId: file.id, score }] : []
  })
}

function termShares(frequencies: ReadonlyMap<string, number>, chunks: number): Map<string, number> {
  const tells = new Map([...frequencies].map(([term, count]) => [term, rarity(count, chunks)]))
  const sum = [...tells.values()].reduce((total, value) => total + Math.max(value, 0), 0) || 1
  return new Map([...tells].map(([term, value]) => [term, Math.max(value, 0) / sum]))
}

function rarity(count: number, chunks: number): number {
  return Math.log(1 + (chunks - count + 0.5) / (count + 0.5))
}

/** How rare a term is; infinitely where the project does not know it. */
function rarityIn(frequencies: ReadonlyMap<string, number>, chunks: number) {
  return (term: string): number => {
    const count = frequencies.get(term) ?? 0
    return count > 0 ? rarity(count, chunks) : Number.POSITIVE_INFINITY
  }
}
