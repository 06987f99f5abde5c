import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import { endsWithQuestion } from '../bare-reply.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import { commitsOf } from './commits.ts'
import { entryOf, inWords, type LedgerEntry, PresentFiles, standingOf } from './ledger-entry.ts'
import { type Doubt, judgeRequest, type RequestState } from './request-state.ts'

export interface LedgerArguments {
  readonly sessionId?: string
  readonly index?: number
  readonly state?: RequestState | Doubt
  readonly limit: number
  readonly offset: number
}

export interface Ledger {
  readonly sessionId: string
  readonly entries: LedgerEntry[]
  readonly total: number
  readonly more?: string
  readonly note?: string
  /** Of a dialog that somebody shares. */
  readonly space?: string
  readonly by?: string
}

export interface LedgerParts {
  readonly dialogs: Dialogs
  readonly store: DeedStore
}

/** What became of every request of a dialog, newest last. */
export async function ledger(
  parts: LedgerParts,
  caller: Caller,
  { sessionId, index, state, limit, offset }: LedgerArguments,
  signal: AbortSignal,
): Promise<Result<Ledger>> {
  const dialog = await parts.dialogs.require(caller, sessionId, signal)
  const { unread } = parts.dialogs.index
  // Whoever wants one state has all of them judged; a page of all is judged alone.
  const isPage = index === undefined && state === undefined
  const judged = await judgeDialog(parts, dialog, dialog.project ?? caller.project, (position) =>
    isPage
      ? position > offset && position <= offset + limit
      : index === undefined || position === index,
  )
  const entries = judged.entries.filter(
    (entry) =>
      state === undefined || entry.state === state || entry.against.includes(state as Doubt),
  )
  const shown = isPage ? entries : entries.slice(offset, offset + limit)
  const page = await Promise.all(shown.map(judged.inFull))
  const end = offset + page.length
  const total = isPage ? judged.requests : entries.length
  return Result.ok({
    sessionId: dialog.sessionId,
    entries: page,
    total,
    ...(end < total ? { more: `Call again with offset ${end}` } : {}),
    ...unread,
  })
}

export interface JudgedDialog {
  /** How many the dialog has, judged or not. */
  readonly requests: number
  /** With the beginning of each request. */
  readonly entries: LedgerEntry[]
  /** With the words of the request, and its clauses. */
  inFull(entry: LedgerEntry): Promise<LedgerEntry>
}

/** The requests of a dialog that are wanted, by their numbers from 1. */
export async function judgeDialog(
  { dialogs, store }: LedgerParts,
  dialog: Dialog,
  project: string,
  isWanted: (position: number, mark: Mark, requests: number) => boolean = () => true,
): Promise<JudgedDialog> {
  const marks = await dialogs.texts.marks(dialog)
  const deeds = await deedsOfDialog(store, dialog, marks)
  const own = byPosition(deeds)
  const made = await commitsOf(deeds, project)
  const files = new PresentFiles(project)
  const entries: LedgerEntry[] = []
  for (const [place, mark] of marks.entries()) {
    if (!isWanted(place + 1, mark, marks.length)) continue
    const mine = own.get(place + 1) ?? []
    const standing = await standingOf(mine, files)
    const isLast = place === marks.length - 1
    const isUnanswered = isLast && (await asksBack(dialogs, dialog, marks.length, mine))
    entries.push(
      entryOf({
        index: place + 1,
        timestamp: mark.time ?? dialog.firstSeen,
        request: mark.preview,
        ...(mark.title ? { title: mark.title } : {}),
        own: mine,
        standing,
        judgement: judgeRequest(place + 1, deeds, made, isUnanswered),
      }),
    )
  }
  return {
    requests: marks.length,
    entries,
    async inFull(entry) {
      const asked = await dialogs.texts.asked(dialog, marks, entry.index)
      return inWords(entry, { request: entry.request, ...asked }, own.get(entry.index) ?? [])
    },
  }
}

/** Whether the agent's last words, or its last deed, are a question to the person. */
async function asksBack(
  dialogs: Dialogs,
  dialog: Dialog,
  position: number,
  own: readonly PlacedDeed[],
): Promise<boolean> {
  const last = own.at(-1)
  if (last?.kind === 'question' && !last.tail) return true
  for await (const { answer } of dialogs.texts.turns(dialog, { from: position, to: position }))
    return endsWithQuestion(answer)
  return false
}
