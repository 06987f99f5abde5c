import { repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import { headOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { endsWithQuestion } from '../bare-reply.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import { fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { WorkedRequest } from '../store/requests-in-spaces.ts'
import { commitsOf, type ProvenCommit } from './commits.ts'
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

/** What became of the requests of a dialog that somebody shares, as far as the caller's own checkout shows it. */
export async function ledgerFromSpace(
  requests: readonly [WorkedRequest, ...WorkedRequest[]],
  caller: Caller,
  { index, state, limit, offset }: LedgerArguments,
): Promise<Result<Ledger>> {
  const deeds = requests.flatMap(placedDeeds)
  const root = repositoryOf(caller.project)?.root ?? caller.project
  const files = new PresentFiles(root)
  const made = await commitsOf(deeds, root)
  const entries: LedgerEntry[] = []
  for (const request of requests)
    if (index === undefined || request.position === index)
      entries.push(await judged(request, requests, deeds, made, files))
  const wanted = entries.filter(
    (entry) =>
      state === undefined || entry.state === state || entry.against.includes(state as Doubt),
  )
  const page = wanted.slice(offset, offset + limit)
  const end = offset + page.length
  const [first] = requests
  return Result.ok({
    sessionId: first.sessionId,
    entries: page,
    total: wanted.length,
    ...(end < wanted.length ? { more: `Call again with offset ${end}` } : {}),
    ...fromSpace(first),
  })
}

async function judged(
  shared: WorkedRequest,
  requests: readonly WorkedRequest[],
  deeds: readonly PlacedDeed[],
  made: readonly ProvenCommit[],
  files: PresentFiles,
): Promise<LedgerEntry> {
  const { position, askedAt, request, answer } = shared
  const own = deeds.filter((deed) => deed.position === position)
  const standing = await standingOf(own, files)
  const last = own.at(-1)
  const isLast = position === requests.at(-1)?.position
  const asksBack = (last?.kind === 'question' && !last.tail) || endsWithQuestion(answer)
  const { preview, title } = headOf(request)
  const entry = entryOf({
    index: position,
    timestamp: Date.parse(askedAt),
    request: preview,
    ...(title ? { title } : {}),
    own,
    standing,
    judgement: judgeRequest(position, deeds, made, isLast && asksBack),
  })
  return inWords(entry, { request, ...questionInSpace(requests, shared) }, own)
}

function placedDeeds({ sessionId, source, position, deeds }: WorkedRequest): PlacedDeed[] {
  const of = { id: 0, key: '', sessionId, source, isHelper: false, position }
  return deeds.map((deed) => ({ ...deed, ...of }))
}
