import { positionOf } from '@secretary-mcp/transcripts/deeds/request-of-deed.ts'
import { resolveTasks } from '@secretary-mcp/transcripts/deeds/runs/project-tasks.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import type { DeedStore, StoredDeed } from './deed-store.ts'

const MAX_DEEDS = 20_000

export interface PlacedDeed extends StoredDeed {
  /** The request it was done for; 0 before the first. */
  readonly position: number
}

/** What was done in a dialog and by its helpers, oldest first, each deed once. */
export async function deedsOfDialog(
  store: DeedStore | undefined,
  { sessionId, project }: Dialog,
  marks: readonly Mark[],
): Promise<PlacedDeed[]> {
  const found = (await store?.find({ sessionId, limit: MAX_DEEDS })) ?? []
  const seen = new Set<string>()
  const own = found
    .reverse()
    .filter(({ call, kind, path, place }) => {
      // A helper's deeds stand in its own file and may be repeated in its lead's.
      const name = call === undefined ? undefined : `${call}/${kind}/${path ?? place}`
      const isNew = name === undefined || !seen.has(name)
      if (name !== undefined) seen.add(name)
      return isNew
    })
    .map((deed) => ({ ...deed, position: positionOf(deed, marks, deed.isHelper) }))
  return resolveTasks(own, project)
}

export function byPosition(deeds: readonly PlacedDeed[]): Map<number, PlacedDeed[]> {
  const groups = new Map<number, PlacedDeed[]>()
  for (const deed of deeds) {
    const group = groups.get(deed.position)
    if (group) group.push(deed)
    else groups.set(deed.position, [deed])
  }
  return groups
}
