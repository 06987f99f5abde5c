import { resolve } from 'node:path'
import type { DeedStore } from '../deeds/deed-store.ts'
import { placesOf, spellingsOf } from '../deeds/work-places.ts'
import type { Dialogs } from '../dialogs.ts'
import { type AskedRequest, RequestsBehind } from './requests-behind.ts'

const MAX_DEEDS = 300
const MAX_REQUESTS = 40

interface Parts {
  readonly dialogs: Dialogs
  readonly store: DeedStore
}

/** Requests for which a file was written or changed, the latest first, without those of one session. */
export async function requestsThatChanged(
  { dialogs, store }: Parts,
  project: string,
  file: string,
  without?: string,
): Promise<AskedRequest[]> {
  const places = await placesOf(store, project)
  const deeds = await store.find({
    projects: await dialogs.deeds.namesOf(project),
    paths: spellingsOf(resolve(project, file), project, places),
    kinds: ['create', 'change'],
    limit: MAX_DEEDS,
  })
  const behind = new RequestsBehind(dialogs)
  const asked = new Set<string>()
  for (const deed of deeds) {
    if (deed.sessionId === without || asked.size === MAX_REQUESTS) continue
    const position = await behind.positionOf(deed)
    if (position > 0) asked.add(`${deed.sessionId}#${position}`)
  }
  return Promise.all([...asked].map((name) => behind.requestOf(name)))
}
