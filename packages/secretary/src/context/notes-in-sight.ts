import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { withinTime } from '@secretary-mcp/core/within-time.ts'
import type { NoteCandidates } from '@secretary-mcp/search/ranking/rank-notes.ts'
import type {
  ResultSource,
  SearchRequest,
  SearchResult,
} from '@secretary-mcp/search/search-types.ts'
import type { Discoveries } from './discoveries/discoveries.ts'
import type { Preparation } from './preparation.ts'
import {
  type ContextSpaces,
  type RequestsInSpaces,
  readableScopes,
  spacesOf,
  spacesOfResults,
} from './requests-in-spaces.ts'
import type { SpaceNotes } from './space-notes/space-notes.ts'

/** Reading what is new in the dialogs takes less, unless there are very many: then the next call finds it. */
const FEED_WAIT_MS = 300
/** For notes that a space has from before; of a very large one the next search finds more. */
const FILL_WAIT_MS = 1_000
/** A search answers soon, whatever the database does. */
const FIND_WAIT_MS = 2_000

export interface NoteSight {
  readonly preparation: Preparation
  readonly spaces?: ContextSpaces
  /** Where the database finds notes of spaces by itself; elsewhere they are in the index. */
  readonly spaceNotes?: SpaceNotes
  readonly log: Log
}

/** The notes that a search of this caller may look at, and no others. */
export async function notesInSight(
  caller: Caller,
  request: SearchRequest,
  { preparation, spaces, spaceNotes, log }: NoteSight,
  signal: AbortSignal,
): Promise<{ scopes: string[]; beside?: NoteCandidates }> {
  const begun = spaceNotes?.begin(caller, request)
  const readable = await spacesOf(caller, spaces, signal)
  const scopes = readableScopes(caller, readable)
  const fed = async (fedSpaces: readonly string[]) => {
    await preparation.fed(caller, FEED_WAIT_MS, signal)
    // What is shared of dialogs is in the index, whatever the database.
    await preparation.caughtUp(caller, fedSpaces, readable)
  }
  if (!spaceNotes) {
    await fed(readable)
    return { scopes }
  }
  let beside: NoteCandidates | undefined
  const find = async () => {
    await withinTime(spaceNotes.filled(readable), FILL_WAIT_MS, signal)
    const asked = spaceNotes.find(caller, readable, request, begun).then(
      (found) => {
        beside = found
      },
      (err: unknown) => log.warn({ err }, 'notes of spaces could not be searched'),
    )
    await withinTime(asked, FIND_WAIT_MS, signal)
  }
  await Promise.all([fed([]), find()])
  return { scopes, ...(beside ? { beside } : {}) }
}

export interface FoundNote extends SearchResult {
  /** Name of the space that it belongs to. */
  readonly space?: string
  /** Who shares it, or recorded it in the space. */
  readonly by?: string
}

interface Wanted {
  readonly query: string
  readonly sources: readonly ResultSource[]
  readonly limit: number
}

interface Parts extends NoteSight {
  readonly discoveries: Discoveries
  readonly requests?: RequestsInSpaces
}

/** Notes that the caller may read, best first. The search itself sees no others, but its index may hold what is only suggested. */
export async function findNotes(
  caller: Caller,
  wanted: Wanted,
  { discoveries, requests, ...sight }: Parts,
  signal: AbortSignal,
): Promise<FoundNote[]> {
  const inSight = await notesInSight(caller, wanted, sight, signal)
  const engine = await sight.preparation.engineOf(caller.project)
  const { results } = await engine.search({ ...wanted, ...inSight }, signal)
  const ids = results.filter(({ source }) => source === 'discovery').map(({ id }) => id)
  const recorded = await discoveries.originsOf(caller, ids)
  const shared = await spacesOfResults(caller, results, requests)
  return results.flatMap((result) => {
    if (result.source === 'discovery') {
      const origin = recorded.get(result.id)
      return origin ? [{ ...result, ...origin }] : []
    }
    const from = shared.get(result.id)
    return shared.has(result.id) && !from ? [] : [{ ...result, ...from }]
  })
}
