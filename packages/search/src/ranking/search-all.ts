import { quantise } from '../embedder/embedder.ts'
import { keptHistory } from '../history/history.ts'
import type { ChunkHit, DefinitionHit, Hit, IndexStore, StoredChunk } from '../index-store.ts'
import type { Bridges } from '../languages/bridge.ts'
import { isCoincidence, type Sense, translate } from '../languages/translate.ts'
import type {
  EmbeddingFailure,
  ResultSource,
  SearchAnswer,
  SearchRequest,
  SearchResult,
} from '../search-types.ts'
import { STOP_WORDS } from '../text/english.ts'
import { identifiersIn, indexTerms } from '../text/index-terms.ts'
import type { Nearness } from '../vectors/chunk-vectors.ts'
import { bestWeights } from './file-evidence.ts'
import { moduleOf } from './file-role.ts'
import { NO_PAST, pastChanges } from './past-changes.ts'
import { FEWEST_PASTED_WORDS, pastedShare } from './pasted-text.ts'
import type { ProjectMemory } from './project-memory.ts'
import {
  MAX_TERMS,
  noteQueryTerms,
  type Query,
  readQuery,
  readTranslated,
  sharedTail,
} from './query.ts'
import { centralFirst, type RankedFile, rankFiles } from './rank-files.ts'
import { type Footing, isWorthShowing, rankNotes } from './rank-notes.ts'

const FEWEST_SENSES = 2
/** Two words are a topic as often as a message. */
const SURE_SENSES = 3
const UNSURE = 0.5
/** A text that goes on in the next line: `"one " ⏎ "two"`, with `+`, `.` or `\` between where the language wants it. */
const GOES_ON =
  /(["'`])[ \t]{0,4}[+.\\]?[ \t]{0,4}\r?\n[ \t]{0,120}(?:[+.] {0,4})?[a-z]{0,2}\1(?!\1)/g
/** What stands inside a text of markup without ending it. */
const INLINE = /<\/?(?:a|b|br|code|em|i|small|span|strong)\b[^<>]{0,200}>|\{\{[^{}]{0,80}\}\}/gi
const TEXTS =
  /"((?:[^"\\\n]|\\.){8,600})"|'((?:[^'\\\n]|\\.){8,600})'|`([^`]{8,600})`|[>}]([^<>{}=;]{8,600})[<{]/g
/** Names, paths and addresses in quotes have no blanks. */
const TWO_WORDS = /\p{L}\s+\S{0,40}\p{L}/u

/** Files whose chunks are looked at one by one. */
const OPENED_FILES = 30
/** Of huge files no more chunks than these are compared by meaning. */
const MAX_OPENED = 3_000
const CHUNKS_OF_A_FILE = 3
/** What a file's second chunk keeps of the file's score, and the third of the second's: one file must not fill the page. */
const NEXT_CHUNK_SHARE = 0.45
/** Where more of each file is wanted. */
const WIDE_CHUNK_SHARE = 0.85
/** Imports name what a question asks for as often as the code that does it, and say nothing about it. */
const IMPORTS_SHARE = 0.1
/** Within a file: words, meaning, whether the name asked for is defined here, and whether what was pasted stands here. */
const CHUNK_WEIGHTS = { words: 1, meaning: 1, definition: 1, pasted: 1 } as const

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

const CANDIDATES = 100

const ALL_SOURCES: readonly ResultSource[] = ['discovery', 'session', 'code']
const DEFAULT_LIMIT = 5
/** A search answers within five seconds, whatever a service of others does. */
const EMBED_WITHIN_MS = 2_000

/** Code and notes, each ranked in its own way, in one list by how well they answer. */
export async function searchAll(
  request: SearchRequest,
  store: IndexStore,
  memory: ProjectMemory,
  bridges: Bridges | undefined,
  signal?: AbortSignal,
): Promise<Omit<SearchAnswer, 'state'>> {
  const translation = bridges && (await translate(request.query, bridges))
  const query = translation ? readTranslated(request.query, translation) : readQuery(request.query)
  const isTyped = request.type !== undefined && request.type !== 'all'
  const wanted = (request.sources ?? ALL_SOURCES).filter(
    (source) => !isTyped || source === 'discovery',
  )
  const { vector, embeddingFailure } = request.byWords
    ? {}
    : await embedQuery(query, memory, signal)
  const code = wanted.includes('code')
    ? (await searchCode(query, vector, store, memory, request.passagesOfFile)).map((hit) =>
        codeResult(hit),
      )
    : []
  const notes = wanted.some((source) => source !== 'code')
    ? await searchNotes(
        query,
        request,
        request.byWords ? undefined : await noteVector(query, vector, memory, signal),
        store,
        memory,
      )
    : []
  const inModule = code.filter(
    (result) =>
      !request.module ||
      result.module === request.module ||
      result.file?.split('/').includes(request.module),
  )
  const found = [...inModule, ...notes.filter((note) => wanted.includes(note.source))].sort(
    (a, b) => b.score - a.score,
  )
  const limit = request.limit ?? DEFAULT_LIMIT
  const best = request.limitsEachSource ? found.filter(isAmongFirst(limit)) : found.slice(0, limit)
  return {
    results: best.map((result) => (request.explain ? result : { ...result, factors: undefined })),
    totalFound: found.length,
    mode: vector ? 'hybrid' : 'lexical',
    embeddingFailure,
  }
}

/** Of each source, so many. */
function isAmongFirst(limit: number): (result: SearchResult) => boolean {
  const counts = new Map<ResultSource, number>()
  return ({ source }) => {
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    return count <= limit
  }
}

/** Where notes have a model of their own; without notes it is not even loaded. */
async function noteVector(
  query: Query,
  vector: Int8Array | undefined,
  { noteModel, model, notes }: ProjectMemory,
  signal?: AbortSignal,
): Promise<Int8Array | undefined> {
  if (noteModel === model) return vector
  if (notes.size === 0) return undefined
  return (await embedQuery(query, { model: noteModel, awaited: undefined }, signal)).vector
}

/** A service that fails costs the search its vectors, not its answer. */
async function embedQuery(
  { gist, englishGist }: Query,
  { model, awaited }: Pick<ProjectMemory, 'model' | 'awaited'>,
  signal?: AbortSignal,
): Promise<{ vector?: Int8Array; embeddingFailure?: EmbeddingFailure }> {
  const asked = model ?? awaited
  if (!asked) return {}
  const timeout = AbortSignal.timeout(EMBED_WITHIN_MS)
  try {
    const [vector] = await asked.embed(
      [asked.isEnglishOnly ? englishGist : gist],
      signal ? AbortSignal.any([signal, timeout]) : timeout,
    )
    return model ? { vector: vector && quantise(vector) } : {}
  } catch (error) {
    signal?.throwIfAborted()
    const timedOut = timeout.aborted
    const details = timedOut
      ? `The embedding service did not answer within ${EMBED_WITHIN_MS / 1000} s`
      : (error as Error).message
    return { embeddingFailure: { details, timedOut } }
  }
}

/** A score of this much is as likely right as wrong. */
const HALF_SCORE = 2.5

function codeResult({ path, chunk, mtimeMs, score, factors }: CodeHit): SearchResult {
  return {
    id: `code:${path}:${chunk.line}`,
    source: 'code',
    type: 'code',
    content: chunk.content,
    module: moduleOf(path),
    session: null,
    date: new Date(mtimeMs).toISOString(),
    score: score > 0 ? score / (score + HALF_SCORE) : 0,
    file: path,
    line: chunk.line,
    endLine: chunk.endLine,
    symbol: chunk.symbols[0] ?? (chunk.scope || undefined),
    factors,
  }
}

/** Notes of the index by words and meaning, in one list with those that were found elsewhere. */
async function searchNotes(
  query: Query,
  request: SearchRequest,
  vector: Int8Array | undefined,
  store: IndexStore,
  memory: ProjectMemory,
): Promise<SearchResult[]> {
  const scopes = request.scopes ?? ['']
  const terms = noteQueryTerms(query)
  const words = scoresOf(await store.findNotes(terms, scopes, CANDIDATES))
  const cosines = scoresOf(vector ? nearestNotes(vector, scopes, memory) : [])
  const notes = await store.notes([...new Set([...words.keys(), ...cosines.keys()])])
  const candidates = notes.map((note) => ({
    note,
    words: words.get(note.key),
    nearness: cosines.get(note.key),
  }))
  const own = { candidates, model: memory.noteModel }
  return rankNotes(terms, request, request.beside ? [own, request.beside] : [own])
}

function scoresOf(hits: readonly Hit[]): Map<number, number> {
  return new Map(hits.map(({ id, score }) => [id, score]))
}

function nearestNotes(vector: Int8Array, scopes: readonly string[], memory: ProjectMemory): Hit[] {
  return scopes
    .flatMap((scope) => memory.notes.get(scope)?.similarities(vector).nearest(CANDIDATES) ?? [])
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES)
}

async function searchCode(
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
  if (all.length <= MAX_TERMS) return frequencies
  const worth = ([term, count]: readonly [string, number]) =>
    count === 0 ? 0 : (terms.get(term) ?? 0) * Math.log(1 + chunks / count)
  return new Map(all.sort((a, b) => worth(b) - worth(a)).slice(0, MAX_TERMS))
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

interface CodeHit {
  readonly path: string
  readonly mtimeMs: number
  readonly chunk: StoredChunk
  readonly score: number
  readonly factors: Readonly<Record<string, number>>
  readonly footing: Footing
}

interface Passages {
  readonly chunkHits: readonly ChunkHit[]
  readonly definitions: readonly DefinitionHit[]
  readonly near: Nearness | undefined
  /** How much of what was pasted stands there. */
  readonly pasted: ReadonlyMap<number, number>
  readonly passagesOfFile: number
}

/** The passages that stand for each file, those of the best files first. */
async function choosePassages(
  query: Query,
  files: readonly RankedFile[],
  { chunkHits, definitions, near, pasted, passagesOfFile }: Passages,
  store: IndexStore,
): Promise<CodeHit[]> {
  const words = new Map(chunkHits.map(({ id, score }) => [id, score / (chunkHits[0]?.score || 1)]))
  const defined = bestWeights(query, definitions, ({ chunkId }) => chunkId)

  const cosines = await near?.cosines(files.flatMap(({ file }) => idsOf(file)).slice(0, MAX_OPENED))
  const nextShare = passagesOfFile > CHUNKS_OF_A_FILE ? WIDE_CHUNK_SHARE : NEXT_CHUNK_SHARE
  const chosen: { ranked: RankedFile; id: number; score: number; relevance: number }[] = []
  const imports = await importsAmong(files, store)
  const hasWordsInImports = ({ firstChunkId: first }: RankedFile['file']) =>
    imports.has(first) && words.has(first)
  for (const ranked of files) {
    const scored = idsOf(ranked.file).map((id) => ({
      id,
      relevance:
        (CHUNK_WEIGHTS.words * (words.get(id) ?? 0) +
          CHUNK_WEIGHTS.meaning * Math.max(cosines?.get(id) ?? 0, 0) +
          CHUNK_WEIGHTS.definition * (defined.get(id) ?? 0) +
          CHUNK_WEIGHTS.pasted * (pasted.get(id) ?? 0)) *
        (imports.has(id) ? IMPORTS_SHARE : 1),
    }))
    scored.sort((a, b) => b.relevance - a.relevance)
    const best = scored[0]?.relevance || 1
    scored.slice(0, passagesOfFile).forEach(({ id, relevance }, nth) => {
      chosen.push({
        ranked,
        id,
        relevance,
        score: ranked.score * nextShare ** nth * (nth === 0 ? 1 : relevance / best),
      })
    })
  }
  chosen.sort((a, b) => b.score - a.score)
  const top = chosen.slice(0, (OPENED_FILES * passagesOfFile) / CHUNKS_OF_A_FILE)
  const chunks = new Map(
    (await store.chunks(top.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]),
  )
  return top.flatMap(({ ranked, id, score, relevance }) => {
    const chunk = chunks.get(id)
    // Gone since memory was filled: another process is indexing.
    if (!chunk) return []
    return [
      {
        path: ranked.file.path,
        mtimeMs: ranked.file.mtimeMs,
        chunk,
        score,
        factors: { ...ranked.factors, passage: relevance },
        footing: {
          hasWords:
            words.has(id) || defined.has(id) || isNamed(ranked) || hasWordsInImports(ranked.file),
          nearness: cosines && (cosines.get(id) ?? 0),
        },
      },
    ]
  })
}

/** First passages that only name what other files define; of a file that has nothing else, it is what there is to show. */
async function importsAmong(
  files: readonly RankedFile[],
  store: IndexStore,
): Promise<ReadonlySet<number>> {
  const first = files
    .filter(({ file }) => file.lastChunkId > file.firstChunkId)
    .map(({ file }) => file.firstChunkId)
  const chunks = await store.chunks(first)
  return new Set(chunks.filter(({ content }) => isImportsOnly(content)).map(({ id }) => id))
}

function idsOf({ firstChunkId, lastChunkId }: RankedFile['file']): number[] {
  return Array.from({ length: lastChunkId - firstChunkId + 1 }, (_, nth) => firstChunkId + nth)
}

/** The file's name or path answers the query in words. */
function isNamed({ factors }: RankedFile): boolean {
  return ['name', 'path', 'definition', 'compound'].some((name) => (factors[name] ?? 0) > 0)
}

interface Passage {
  readonly id: number
  readonly fileId: number
  readonly content: string
}

/**
 * Where a program says what was asked in another language: translated words are in no English order and some are the wrong ones, but a
 * message stands in the code as a text of its own, with nothing else in it. How much the best text of each file is like it.
 */
export function saidIn(
  senses: readonly Sense[],
  rarity: (term: string) => number,
  passages: readonly Passage[],
): Map<number, number> {
  const found = new Map<number, number>()
  if (senses.length < FEWEST_SENSES) return found
  const certainty = senses.length < SURE_SENSES ? UNSURE : 1
  const worth = worthOf(senses, rarity)
  for (const { fileId, content } of passages) {
    const likeness = certainty * likestText(senses, worth, content) ** 2
    if (likeness > (found.get(fileId) ?? 0)) found.set(fileId, likeness)
  }
  return found
}

/** A sense is as rare as the commonest of its words; one that the project does not know counts as much as the others on average. */
function worthOf(senses: readonly Sense[], rarity: (term: string) => number): number[] {
  const known = senses.map(({ terms }) =>
    Math.min(...terms.map(rarity).filter((value) => Number.isFinite(value))),
  )
  const finite = known.filter(Number.isFinite)
  const mean = finite.reduce((sum, value) => sum + value, 0) / (finite.length || 1)
  return known.map((value) => (Number.isFinite(value) ? value : mean))
}

/** Dice's coefficient of the senses and the words of the text that has most in common with them; 0 where none has two. */
export function likestText(
  senses: readonly Sense[],
  worth: readonly number[],
  content: string,
): number {
  const total = sumOf(worth)
  if (total <= 0) return 0
  const meant = sensesByTerm(senses)
  let best = 0
  for (const text of textsIn(content)) {
    const there = new Set<number>()
    let others = 0
    for (const word of identifiersIn(text)) {
      const terms = indexTerms(word)
      const meanings = terms.flatMap((term) => meant.get(term) ?? [])
      for (const nth of meanings) there.add(nth)
      if (meanings.length === 0 && terms.some((term) => !STOP_WORDS.has(term))) others++
    }
    if (there.size < FEWEST_SENSES) continue
    const shared = sumOf([...there].map((nth) => worth[nth] ?? 0))
    const own = shared + (others * total) / worth.length
    best = Math.max(best, (2 * shared) / (total + own))
  }
  return best
}

function sensesByTerm(senses: readonly Sense[]): Map<string, number[]> {
  const meant = new Map<string, number[]>()
  senses.forEach(({ terms }, nth) => {
    for (const term of new Set(terms)) meant.set(term, [...(meant.get(term) ?? []), nth])
  })
  return meant
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The texts in a piece of code that people are shown: what stands in quotes, and between the marks of a template. */
export function textsIn(content: string): string[] {
  return [...content.replace(GOES_ON, '').replace(INLINE, ' ').matchAll(TEXTS)]
    .map(([, double, single, template, markup]) => double ?? single ?? template ?? markup ?? '')
    .filter((text) => TWO_WORDS.test(text))
}

const IMPORTS = [
  // TypeScript and JavaScript, also over several lines.
  /^[ \t]*(?:import|export)\b[^;'"`()]*?from[ \t]*['"][^'"\n]+['"];?[ \t]*$/gm,
  /^[ \t]*import[ \t]+['"][^'"\n]+['"];?[ \t]*$/gm,
  /^[ \t]*(?:const|let|var)\b[^=;]*=[ \t]*require\([^()\n]*\)[^\n]*$/gm,
  // Go and Python, also in parentheses.
  /^[ \t]*import[ \t]*\([^()]*\)[ \t]*$/gm,
  /^[ \t]*from[ \t]+\S+[ \t]+import(?:[ \t]*\([^()]*\)|\b[^\n]*)$/gm,
  // Rust.
  /^[ \t]*(?:pub(?:\([^()]*\))?[ \t]+)?use[ \t][^;]*;[ \t]*$/gm,
  // Java, Kotlin, Scala, C#, C, Ruby, PHP and others: a line each.
  /^[ \t]*(?:import|package|using|namespace|module|require|require_relative|open)[ \t]+['"<\w][^\n{}=]*$/gm,
  /^[ \t]*#[ \t]*(?:include|import)\b[^\n]*$/gm,
]
/** Such as a remark at the head of a file; more of it may say what the file is for. */
const MAX_OTHER_LINES = 1
/** One endless line is a passage too, and nobody imports so much. */
const MAX_LENGTH = 8_000

/** A passage that only names what other files define. */
export function isImportsOnly(content: string): boolean {
  if (content.length > MAX_LENGTH) return false
  let rest = content
  for (const imports of IMPORTS) rest = rest.replace(imports, '')
  if (rest === content) return false
  const lines = rest.split('\n').filter((line) => line.trim() !== '')
  return lines.length <= MAX_OTHER_LINES && lines.every(isRemark)
}

function isRemark(line: string): boolean {
  return /^\s*(?:\/\/|#[\s!]|\/\*.*\*\/|--|;|['"]use )/.test(line)
}
