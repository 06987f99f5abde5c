import { relative, resolve } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isRepositorySource } from '@secretary-mcp/transcripts/source-names.ts'
import { isFromChosen } from '../../space.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import type { Dialogs } from '../dialogs.ts'
import { standingNow } from '../standing.ts'
import type { AskedRequest } from '../why/requests-behind.ts'
import { requestsThatChanged } from '../why/requests-of-file.ts'

const MAX_TOKENS = 300

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
  signal: AbortSignal,
  spaces?: readonly string[],
): Promise<EditNote[]> {
  const file = relative(caller.project, resolve(caller.project, path))
  if (file === '' || file.startsWith('..')) return []
  const own = dialogs.sessionNamedBy(caller)
  const changed = await requestsThatChanged({ dialogs, store }, caller.project, file, own)
  const requests = (await requestsBehindLines(dialogs, caller, file, signal))
    .filter(({ sessionId }) => sessionId !== own)
    .concat(changed)
    .filter(({ source }) => !isRepositorySource(source))
    .sort((a, b) => a.timestamp - b.timestamp)
  const words = [...new Set(requests.map(({ request }) => request))]
  const saidIn = (wish: string) => words.findLastIndex((request) => request.includes(wish))
  // The newest request first; what one request says stays in its order.
  const wishes = standingNow(words).sort((a, b) => saidIn(b) - saidIn(a))
  const decided = (await decisionsAbout?.(caller, file, own)) ?? []
  const notes = [
    ...decided.filter(({ space }) => isFromChosen(space, spaces)),
    ...wishes.map((text) => ({ text })),
  ]
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()]
}

/** Those that `why` names for its lines: they may have been written in another file. */
async function requestsBehindLines(
  dialogs: Dialogs,
  caller: Caller,
  file: string,
  signal: AbortSignal,
): Promise<AskedRequest[]> {
  const whole = { file, line: 1, endLine: Number.MAX_SAFE_INTEGER }
  try {
    const { value } = await dialogs.deeds.why(caller, whole, signal)
    // What others share is background, never a rule.
    return (value?.requests ?? []).filter(({ space }) => space === undefined)
  } catch (error) {
    // A file that is too large to be explained is known by its name alone.
    if (error instanceof Failure) return []
    throw error
  }
}

/** What fits into the few tokens that an edit may cost, and which of the notes it holds. Whatever somebody wrote is one quoted line. */
export function editNotesText(
  file: string,
  notes: readonly EditNote[],
): { readonly text: string; readonly shown: readonly string[] } {
  const shown: EditNote[] = []
  for (const note of notes)
    if (estimateTokens(notesText(file, [...shown, note])) <= MAX_TOKENS) shown.push(note)
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
