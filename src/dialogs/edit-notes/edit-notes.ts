import { relative, resolve } from 'node:path'
import { estimateTokens } from '../../core/token-estimate.ts'
import type { Caller } from '../../core/tool.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { placesOf, spellingsOf } from '../deeds/work-places.ts'
import type { Dialogs } from '../dialogs.ts'
import { standingWishes } from '../recall/standing-wishes.ts'
import { RequestsBehind } from '../why/requests-behind.ts'

const MOST_DEEDS = 300
const MOST_REQUESTS = 40
const MOST_TOKENS = 300

/** What other families know of a file, without what one session has said itself. */
export type DecisionsAbout = (caller: Caller, file: string, session?: string) => Promise<string[]>

interface Parts {
  readonly dialogs: Dialogs
  readonly store: DeedStore
  readonly decisionsAbout?: DecisionsAbout
}

/** Wishes that hold and decisions about a file, the newest first, without what the caller's own dialog has said. */
export async function editNotes(
  { dialogs, store, decisionsAbout }: Parts,
  caller: Caller,
  path: string,
): Promise<string[]> {
  const file = relative(caller.project, resolve(caller.project, path))
  if (file === '' || file.startsWith('..')) return []
  const places = await placesOf(store, caller.project)
  const deeds = await store.find({
    projects: await dialogs.deeds.namesOf(caller.project),
    paths: spellingsOf(file, caller.project, places),
    limit: MOST_DEEDS,
  })
  const own = dialogs.sessionNamedBy(caller)
  const behind = new RequestsBehind(dialogs)
  const asked = new Set<string>()
  for (const deed of deeds) {
    if (deed.sessionId === own || deed.lines === undefined) continue
    const position = await behind.positionOf(deed)
    if (position > 0) asked.add(`${deed.sessionId}#${position}`)
  }
  const requests = await Promise.all(
    [...asked].slice(0, MOST_REQUESTS).map((name) => behind.requestOf(name)),
  )
  const wishes = requests.flatMap(({ request }) => standingWishes(request))
  const decided = (await decisionsAbout?.(caller, file, own)) ?? []
  return [...new Set([...decided, ...wishes])]
}

/** What fits into the few tokens that an edit may cost, and which of the notes it holds. */
export function editNotesText(
  file: string,
  notes: readonly string[],
): { readonly text: string; readonly shown: readonly string[] } {
  const heading = `Earlier requests and decisions that hold for ${file}:`
  const shown: string[] = []
  const textOf = (lines: readonly string[]) =>
    [heading, ...lines.map((line) => `- ${line}`)].join('\n')
  for (const note of notes)
    if (estimateTokens(textOf([...shown, note])) <= MOST_TOKENS) shown.push(note)
  return { text: shown.length > 0 ? textOf(shown) : '', shown }
}
