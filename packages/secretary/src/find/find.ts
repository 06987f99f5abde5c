import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type Finder, FOUND_KINDS, type Found, type FoundKind, NARROWING } from './find-types.ts'
import { parseWanted } from './parse-wanted.ts'

export interface FoundGroup {
  readonly kind: FoundKind
  readonly found: readonly Found[]
}

/** One search for all: every kind of thing at once, each in a group of its own. */
export async function findAll(
  { finders, log }: { readonly finders: readonly Finder[]; readonly log: Log },
  caller: Caller,
  { typed, limit }: { readonly typed: string; readonly limit: number },
  signal: AbortSignal,
): Promise<FoundGroup[]> {
  const wanted = parseWanted(typed, limit)
  const narrowed = NARROWING.filter((name) => wanted[name] !== undefined)
  if (wanted.words === '' && narrowed.length === 0) return []
  const asked = finders.filter(({ narrowedBy }) =>
    narrowed.every((name) => narrowedBy.includes(name)),
  )
  const groups = await Promise.all(
    asked.map(async ({ kind, find }) => ({
      kind,
      found: await find(caller, wanted, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        // One kind that cannot be searched costs none of the others.
        log.warn({ err: error, kind }, 'a kind of thing could not be searched')
        return []
      }),
    })),
  )
  return FOUND_KINDS.flatMap((kind) =>
    groups.filter((group) => group.kind === kind && group.found.length > 0),
  ).map(({ kind, found }) => ({ kind, found: latestFirst(found.slice(0, limit)) }))
}

/** Of the best, the latest first; what has no date keeps its rank. */
function latestFirst(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}
