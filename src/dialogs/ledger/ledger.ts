import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { changedFiles, describeEnd } from '../deeds/describe-deeds.ts'
import type { Dialog, Mark } from '../dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import { cutText } from '../preview.ts'
import { questionIn } from '../recall/bare-request.ts'
import { type Clause, judgeClauses } from './clauses.ts'
import { type Doubt, doubtsOf, type RequestState, stateOf } from './request-state.ts'
import { PresentFiles, type Standing, standingOf } from './standing-lines.ts'

const LONGEST_REQUEST = 300
const MOST_FILES = 30

export interface LedgerArguments {
  readonly sessionId?: string
  readonly index?: number
  readonly state?: RequestState | Doubt
  readonly limit: number
  readonly offset: number
}

export interface LedgerEntry {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  readonly state: RequestState
  readonly against: Doubt[]
  readonly files: { path: string; plus: number; minus: number; standing?: number }[]
  readonly commands: number
  readonly ended: string[]
  readonly commits: string[]
  readonly clauses?: Clause[]
}

export interface Ledger {
  readonly sessionId: string
  readonly entries: LedgerEntry[]
  readonly total: number
  readonly more?: string
}

/** What became of every request of a dialog, newest last. */
export async function ledger(
  { dialogs, store }: { dialogs: Dialogs; store: DeedStore },
  caller: Caller,
  { sessionId, index, state, limit, offset }: LedgerArguments,
  signal: AbortSignal,
): Promise<Result<Ledger>> {
  const dialog = await dialogs.require(caller, sessionId, signal)
  const marks = await dialogs.texts.marks(dialog)
  const deeds = await deedsOfDialog(store, dialog, marks)
  const own = byPosition(deeds)
  const files = new PresentFiles(dialog.project ?? caller.project)
  const entries: LedgerEntry[] = []
  for (const [place, mark] of marks.entries()) {
    if (index !== undefined && place + 1 !== index) continue
    const mine = own.get(place + 1) ?? []
    const since = deeds.filter(({ position }) => position >= place + 1)
    const standing = await standingOf(mine, files)
    const isLast = place === marks.length - 1
    const isUnanswered = isLast && (await asksBack(dialogs, dialog, marks.length, mine))
    const entry = entryOf(place + 1, mark, dialog, {
      own: mine,
      standing,
      state: stateOf(mine, since),
      against: doubtsOf(mine, since, standing, isUnanswered),
    })
    if (state === undefined || entry.state === state || entry.against.includes(state as Doubt))
      entries.push(entry)
  }
  const page = await Promise.all(
    entries.slice(offset, offset + limit).map(async (entry) => {
      const mark = marks[entry.index - 1]
      const request = (mark && (await dialogs.texts.requestText(dialog, mark))) ?? entry.request
      const clauses = judgeClauses(request, own.get(entry.index) ?? [])
      const text =
        request.length > LONGEST_REQUEST ? `${cutText(request, LONGEST_REQUEST)}…` : request
      return { ...entry, request: text, ...(clauses.length > 0 ? { clauses } : {}) }
    }),
  )
  const end = offset + page.length
  return Result.ok({
    sessionId: dialog.sessionId,
    entries: page,
    total: entries.length,
    ...(end < entries.length ? { more: `Call again with offset ${end}` } : {}),
  })
}

interface Judged {
  readonly own: readonly PlacedDeed[]
  readonly standing: ReadonlyMap<string, Standing>
  readonly state: RequestState
  readonly against: Doubt[]
}

function entryOf(
  index: number,
  mark: Mark,
  dialog: Dialog,
  { own, standing, state, against }: Judged,
): LedgerEntry {
  const files = changedFiles(own).map((file) => {
    const { came = 0, stand = 0 } = standing.get(file.path) ?? {}
    return { ...file, ...(came > 0 ? { standing: Math.round((100 * stand) / came) / 100 } : {}) }
  })
  return {
    index,
    timestamp: mark.time ?? dialog.firstSeen,
    request: mark.preview,
    state,
    against,
    files: files.slice(0, MOST_FILES),
    commands: own.filter(({ kind }) => kind === 'command').length,
    ended: own
      .filter(
        ({ commandKind, exit }) => /test|build|lint/.test(commandKind ?? '') && exit !== undefined,
      )
      .slice(-5)
      .map(describeEnd),
    commits: own
      .filter(({ kind }) => kind === 'commit')
      .map(({ tail, text }) => [tail, text].filter(Boolean).join(' ')),
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
    return (
      answer !== undefined &&
      /\?\W*$/.test(questionIn(answer) ?? '') &&
      /\?\W*$/.test(answer.trim())
    )
  return false
}
