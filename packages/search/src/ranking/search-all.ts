import type { IndexStore } from '../index-store.ts'
import type { Bridges } from '../languages/bridge.ts'
import { translate } from '../languages/translate.ts'
import { moduleOf } from '../module-of.ts'
import type {
  EmbeddingFailure,
  ResultSource,
  SearchAnswer,
  SearchRequest,
  SearchResult,
} from '../search-types.ts'
import { quantise } from '../vectors/quantise.ts'
import type { CodeHit } from './choose-passages.ts'
import type { ProjectMemory } from './project-memory.ts'
import { type Query, readQuery, readTranslated } from './query.ts'
import { searchCode } from './search-code.ts'
import { searchNotes } from './search-notes.ts'

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
