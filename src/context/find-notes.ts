import type { Caller } from '../core/tool.ts'
import type { ResultSource, SearchResult } from '../search/search-types.ts'
import type { Discoveries } from './discoveries/discoveries.ts'
import type { Preparation } from './preparation.ts'
import { type ContextSpaces, readableScopes, spacesOf } from './spaces-port.ts'

export interface FoundNote extends SearchResult {
  /** Name of the space that it belongs to. */
  readonly space?: string
}

interface Wanted {
  readonly query: string
  readonly sources: readonly ResultSource[]
  readonly limit: number
}

interface Parts {
  readonly preparation: Preparation
  readonly discoveries: Discoveries
  readonly spaces?: ContextSpaces
}

const FEED_WAIT_MS = 300

/** Notes that the caller may read, best first. The search itself sees no others. */
export async function findNotes(
  caller: Caller,
  wanted: Wanted,
  { preparation, discoveries, spaces }: Parts,
  signal: AbortSignal,
): Promise<FoundNote[]> {
  const readable = await spacesOf(caller, spaces, signal)
  await preparation.fed(caller, FEED_WAIT_MS, signal)
  await preparation.caughtUp(caller, readable)
  const engine = await preparation.engineOf(caller.project)
  const { results } = await engine.search(
    { ...wanted, scopes: readableScopes(caller, readable) },
    signal,
  )
  const ids = results.filter(({ source }) => source === 'discovery').map(({ id }) => id)
  const spaceOf = await discoveries.spaceNames(caller, ids)
  return results.map((result) => {
    const space = spaceOf.get(result.id)
    return space === undefined ? result : { ...result, space }
  })
}
