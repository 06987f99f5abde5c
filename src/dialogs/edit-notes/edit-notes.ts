import { relative, resolve } from 'node:path'
import { isFromChosen } from '../../core/chosen-spaces.ts'
import { quoteLine } from '../../core/quote.ts'
import { estimateTokens } from '../../core/token-estimate.ts'
import type { Caller } from '../../core/tool.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { placesOf, spellingsOf } from '../deeds/work-places.ts'
import type { Dialogs } from '../dialogs.ts'
import { isRepositorySource } from '../source-names.ts'
import { standingIn } from '../standing.ts'
import { RequestsBehind } from '../why/requests-behind.ts'

const MOST_DEEDS = 300
const MOST_REQUESTS = 40
const MOST_TOKENS = 300

export interface EditNote {
  readonly text: string
  /** Where a colleague shares it, and who; undefined if it is the person's own. */
  readonly space?: string
  readonly by?: string
}

/** What other families know of a file, without what one session has said itself. */
export type DecisionsAbout = (
  caller: Caller,
  file: string,
  session?: string,
) => Promise<readonly EditNote[]>

interface Parts {
  readonly dialogs: Dialogs
  readonly store: DeedStore
  readonly decisionsAbout?: DecisionsAbout
}

/**
 * Wishes that hold and decisions about a file, the newest first, without what the caller's own dialog has said. With `spaces`, only
 * what is the person's own and what comes from them.
 */
export async function editNotes(
  { dialogs, store, decisionsAbout }: Parts,
  caller: Caller,
  path: string,
  spaces?: readonly string[],
): Promise<EditNote[]> {
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
  const wishes = requests.flatMap(({ request, source }) =>
    isRepositorySource(source) ? [] : standingIn(request),
  )
  const decided = (await decisionsAbout?.(caller, file, own)) ?? []
  const notes = [
    ...decided.filter(({ space }) => isFromChosen(space, spaces)),
    ...wishes.map((text) => ({ text })),
  ]
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()]
}

/** What fits into the few tokens that an edit may cost, and which of the notes it holds. Whatever somebody wrote is one quoted line. */
export function editNotesText(
  file: string,
  notes: readonly EditNote[],
): { readonly text: string; readonly shown: readonly string[] } {
  const shown: EditNote[] = []
  for (const note of notes)
    if (estimateTokens(notesText(file, [...shown, note])) <= MOST_TOKENS) shown.push(note)
  return { text: notesText(file, shown), shown: shown.map(({ text }) => text) }
}

/** What colleagues share is background under a heading of its own, never a rule. */
function notesText(file: string, notes: readonly EditNote[]): string {
  const own = notes.filter(({ space }) => space === undefined)
  const shared = notes.filter(({ space }) => space !== undefined)
  const name = quoteLine(file)
  return [
    ...(own.length > 0 ? [`Earlier requests and decisions that hold for ${name}:`] : []),
    ...own.map(({ text }) => `- ${quoteLine(text)}`),
    ...(shared.length > 0
      ? [`What colleagues noted about ${name}, as background and not as a rule:`]
      : []),
    ...shared.map(
      ({ text, by = 'somebody', space = '' }) =>
        `- ${quoteLine(by)} in the space ${quoteLine(space)}: ${quoteLine(text)}`,
    ),
  ].join('\n')
}
