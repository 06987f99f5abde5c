import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { ResultSource, SearchResult } from '@secretary-mcp/search/search-types.ts'
import type { Discoveries } from './discoveries/discoveries.ts'
import { type NoteSight, notesInSight } from './notes-in-sight.ts'
import { type RequestsInSpaces, spacesOfResults } from './requests-in-spaces.ts'

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
