import type { Caller } from '../core/tool.ts'
import { isDamage } from '../search/index-damage.ts'
import type { SearchRequest, SearchResult } from '../search/search-types.ts'
import type {
  ContextSearchAnswer,
  ContextSearchRequest,
  FoundItem,
} from './context-search-types.ts'
import type { Discoveries } from './discoveries/discoveries.ts'
import { notePrefix } from './discoveries/feed.ts'
import { lexicalSearch } from './lexical-search.ts'
import type { Preparation } from './preparation.ts'
import { embeddingFailed, nothingIndexed, notReady, searchFailed } from './search-failures.ts'

const FIRST_WAIT_MS = 1_500
/** Reading what is new in the dialogs takes less, unless there are very many: then the next call finds it. */
const FEED_WAIT_MS = 300
const LONGEST_CONTENT = 1_500

interface Parts {
  readonly preparation: Preparation
  readonly discoveries: Discoveries
}

/** Discoveries, dialogs and code by meaning; while the index is young, by words. A damaged index is begun anew. */
export async function contextSearch(
  caller: Caller,
  request: ContextSearchRequest,
  parts: Parts,
  signal: AbortSignal,
): Promise<ContextSearchAnswer> {
  const answer = await searched(caller, request, parts, signal).catch(async (error: unknown) => {
    if (!isDamage(error)) throw error
    await parts.preparation.startAnew(caller.project)
    return searched(caller, request, parts, signal)
  })
  const shownDiscoveries = answer.results.filter(({ source }) => source === 'discovery')
  await parts.discoveries.countUse(
    caller,
    shownDiscoveries.map(({ id }) => id),
  )
  return answer
}

async function searched(
  caller: Caller,
  request: ContextSearchRequest,
  { preparation, discoveries }: Parts,
  signal: AbortSignal,
): Promise<ContextSearchAnswer> {
  const started = performance.now()
  const engine = await preparation.engineOf(caller.project)
  // Others' notes lie in the same index and are dropped below, so more is asked for than is shown.
  const wanted: SearchRequest = { ...request, limit: request.limit * 3 + 10 }
  const answerOf = (found: Omit<ContextSearchAnswer, 'query' | 'searchTime'>) => ({
    ...found,
    query: request.query,
    searchTime: Math.round(performance.now() - started),
  })

  preparation.begin(caller)
  await preparation.fed(caller, FEED_WAIT_MS, signal)
  let found = await engine.search(wanted, signal)
  if (found.state !== 'ready' && (request.type === 'all' || found.results.length === 0)) {
    await preparation.settled(caller, FIRST_WAIT_MS, signal)
    found = await engine.search(wanted, signal)
  }
  const own = await ownResults(caller, found.results, discoveries)
  if (found.embeddingFailure)
    throw embeddingFailed(found.embeddingFailure, own.slice(0, request.limit))
  const totalFound = Math.max(0, found.totalFound - (found.results.length - own.length))
  const problem = preparation.problemOf(caller)
  if (isDamage(problem)) throw problem
  const isBuilding = found.state !== 'ready' && !preparation.isSettled(caller)
  if (own.length > 0 || (!isBuilding && !(await isEmpty())))
    return answerOf({
      results: own.slice(0, request.limit),
      totalFound,
      ...(isBuilding ? PARTIAL : {}),
    })
  if (!isBuilding) throw problem ? searchFailed(problem) : nothingIndexed()
  const byWords = request.type === 'all' ? await lexicalSearch(caller.project, request, signal) : []
  if (byWords.length === 0) throw notReady()
  return answerOf({
    results: byWords.slice(0, request.limit),
    totalFound: byWords.length,
    ...PARTIAL,
  })

  async function isEmpty(): Promise<boolean> {
    const { files, notes } = await engine.status()
    return files + notes === 0
  }
}

const PARTIAL = {
  partial: true,
  message: 'The index is being built: results are incomplete, ask again in a while',
} as const

/** Discoveries and dialogs of other users are left out; what remains is shown as the contract has it. */
async function ownResults(
  caller: Caller,
  results: readonly SearchResult[],
  discoveries: Discoveries,
): Promise<FoundItem[]> {
  const ids = results.filter(({ source }) => source === 'discovery').map(({ id }) => id)
  const mine = await discoveries.find(caller, ids)
  return results.flatMap((result): FoundItem[] => {
    if (result.source === 'session')
      return result.id.startsWith(notePrefix(caller.user)) ? [shown(result)] : []
    if (result.source === 'code') return [shown(result)]
    const discovery = mine.get(result.id)
    if (!discovery) return []
    const { changedFiles } = discovery
    return [
      {
        ...shown(result),
        ...(changedFiles.length > 0
          ? { needs_recheck: true, changedFiles: [...changedFiles] }
          : {}),
      },
    ]
  })
}

function shown({ factors, content, ...rest }: SearchResult): FoundItem {
  return {
    ...rest,
    content: content.length > LONGEST_CONTENT ? `${content.slice(0, LONGEST_CONTENT)}…` : content,
    ...(factors ? { factors: { ...factors } } : {}),
  }
}
