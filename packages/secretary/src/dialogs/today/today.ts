import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import { lastQuestion } from '../bare-reply.ts'
import type { Dialogs } from '../dialogs.ts'
import { type JudgedDialog, judgeDialog, type LedgerParts } from '../ledger/ledger.ts'
import type { Doubt, LedgerEntry } from '../ledger/ledger-entry.ts'

const PAGE = 500
const MAX_COUNTED = 20_000

/** An agent that has written nothing for this long is not at work. */
const SILENCE_MS = 10 * 60_000
const MAX_AGENTS = 6
const LAST_DEEDS = 12

const DAY = 86_400_000
/** What was left open longer ago than this no longer belongs to today. */
const OPEN_DAYS = 7
const MAX_DIALOGS = 20
const MAX_REQUESTS = 30
const MAX_NEEDS = 40
/** The list goes on into the days before until it has this many. */
const FEWEST_REQUESTS = 12

export interface AskedRequest extends LedgerEntry {
  readonly sessionId: string
  readonly source: SourceName
  /** One line: a plan's heading, the typed sentence, never a pasted log. */
  readonly title: string
  readonly dialogTitle?: string
}

type NeedKind = Extract<Doubt, 'unanswered' | 'failing' | 'interrupted'>

/** Something that waits for the person, and what proves it. */
export interface Need {
  /** Names it where the person dismisses it. */
  readonly need: string
  readonly kind: NeedKind
  /** What the agent asked last. */
  readonly question?: string
  readonly sessionId: string
  readonly index: number
  readonly source: SourceName
  readonly title: string
  readonly timestamp: number
  /** The command that failed, with its kind: `test failed (npm test)`. */
  readonly failed?: string
}

export interface Today {
  /** The latest first. */
  readonly requests: AskedRequest[]
  readonly total: number
  /** The latest first. */
  readonly needs: Need[]
  readonly working: Working[]
  /** Dialogs in any project. */
  readonly dialogs: number
  readonly note?: string
}

interface Judged {
  readonly dialog: Dialog
  readonly judged: JudgedDialog
  readonly entry: LedgerEntry
}

/** What was asked lately in the project and what happened to it, what needs the person, and what agents are doing. */
export async function today(
  parts: LedgerParts,
  caller: Caller,
  since: number,
  signal: AbortSignal,
): Promise<Today> {
  const { dialogs } = parts
  if (!(await dialogs.ready(caller, signal))) return nothing()
  const { unread } = dialogs.index
  const [here, everywhere, working] = await Promise.all([
    latestOfProject(parts, caller.project),
    dialogs.store.list({ asked: true, limit: 1, offset: 0 }),
    atWork(parts, Date.now()),
  ])
  const oldest = Date.now() - OPEN_DAYS * DAY
  const all: Judged[] = []
  for (const dialog of here) {
    signal.throwIfAborted()
    const judged = await judgeDialog(
      parts,
      dialog,
      dialog.project ?? caller.project,
      // A dialog may go back for months: of what is older only the latest may be shown.
      (position, { time = dialog.firstSeen }, requests) =>
        time >= Math.min(since, oldest) || position > requests - FEWEST_REQUESTS,
    )
    all.push(...judged.entries.map((entry) => ({ dialog, judged, entry })))
  }
  all.sort((a, b) => b.entry.timestamp - a.entry.timestamp)
  const total = all.filter(({ entry }) => entry.timestamp >= since).length
  const shown = all.slice(0, Math.min(MAX_REQUESTS, Math.max(total, FEWEST_REQUESTS)))
  const recent = all.filter(({ entry }) => entry.timestamp >= oldest)
  return {
    requests: await Promise.all(shown.map(askedRequest)),
    total,
    needs: await needsIn(dialogs, recent),
    working,
    dialogs: everywhere.total,
    ...unread,
  }
}

export interface AskedSince {
  readonly requests: AskedRequest[]
  readonly total: number
  readonly note?: string
}

/** What was asked in the project since a moment, in all its dialogs, the latest first; only what is still open if wanted. */
export async function askedSince(
  parts: LedgerParts,
  caller: Caller,
  { since, isOpen, limit }: { since: number; isOpen: boolean; limit: number },
  signal: AbortSignal,
): Promise<AskedSince> {
  const { dialogs } = parts
  if (!(await dialogs.ready(caller, signal))) return { requests: [], total: 0 }
  const { unread } = dialogs.index
  const projects = await dialogs.deeds.namesOf(caller.project)
  const all: Judged[] = []
  for (let offset = 0; ; offset += MAX_DIALOGS) {
    const page = { projects, asked: true, since, limit: MAX_DIALOGS, offset }
    const { dialogs: found, total } = await dialogs.store.list(page)
    for (const dialog of found) {
      signal.throwIfAborted()
      const judged = await judgeDialog(
        parts,
        dialog,
        dialog.project ?? caller.project,
        (_position, { time = dialog.firstSeen }) => time >= since,
      )
      const entries = judged.entries.filter((entry) => !isOpen || isStillOpen(entry))
      all.push(...entries.map((entry) => ({ dialog, judged, entry })))
    }
    if (found.length === 0 || offset + found.length >= total) break
  }
  all.sort((a, b) => b.entry.timestamp - a.entry.timestamp)
  const requests = await Promise.all(all.slice(0, limit).map(askedRequest))
  return { requests, total: all.length, ...unread }
}

/** Something speaks against it, or it was changed and never tested or committed. */
function isStillOpen({ state, against }: LedgerEntry): boolean {
  return state === 'changed' || against.some((doubt) => doubt !== 'undone' && doubt !== 'replaced')
}

async function latestOfProject({ dialogs }: LedgerParts, project: string): Promise<Dialog[]> {
  const projects = await dialogs.deeds.namesOf(project)
  const of = { projects, asked: true, offset: 0 }
  const recent = { ...of, since: Date.now() - OPEN_DAYS * DAY, limit: MAX_DIALOGS }
  const found = (await dialogs.store.list(recent)).dialogs
  return found.length > 0 ? found : (await dialogs.store.list({ ...of, limit: 1 })).dialogs
}

async function askedRequest({ dialog, judged, entry }: Judged): Promise<AskedRequest> {
  const { sessionId, source, title: dialogTitle } = dialog
  const full = await judged.inFull(entry)
  const title = entry.title ?? titleOf(full.request)
  return { ...full, sessionId, source, title, ...(dialogTitle ? { dialogTitle } : {}) }
}

/** What is proven to wait for the person, of requests that are sorted by time, the latest first. */
async function needsIn(dialogs: Dialogs, recent: readonly Judged[]): Promise<Need[]> {
  const passed: { readonly end: string; readonly dialog: Dialog }[] = []
  const found: { readonly judged: Judged; readonly kind: NeedKind; readonly failed?: string }[] = []
  for (const judged of recent) {
    const { dialog, entry } = judged
    const isLast = entry.index === judged.judged.requests
    const failed = entry.ended.findLast((end) => /^(?:test|build) failed/.test(end))
    if (entry.against.includes('unanswered')) found.push({ judged, kind: 'unanswered' })
    else if (entry.against.includes('interrupted')) {
      // Who went on in the dialog has seen to it.
      if (isLast) found.push({ judged, kind: 'interrupted' })
    } else if (entry.against.includes('failing') && failed && !isAtWork(dialog)) {
      const isFixed = passed.some((later) => fixes(later.end, failed, later.dialog === dialog))
      if (!isFixed) found.push({ judged, kind: 'failing', failed })
    }
    for (const end of entry.ended) if (/^\w+ passed/.test(end)) passed.push({ end, dialog })
  }
  return Promise.all(
    found.slice(0, MAX_NEEDS).map(async ({ judged: one, kind, failed }) => {
      const { sessionId, index, source, title, timestamp } = await askedRequest(one)
      const need = `${kind} ${sessionId} ${index}`
      const question = kind === 'unanswered' ? await questionAfter(dialogs, one) : undefined
      return {
        ...{ need, kind, sessionId, index, source, title, timestamp },
        ...(question ? { question } : {}),
        ...(failed ? { failed } : {}),
      }
    }),
  )
}

async function questionAfter(
  dialogs: Dialogs,
  { dialog, entry: { index } }: Judged,
): Promise<string | undefined> {
  for await (const { answer } of dialogs.texts.turns(dialog, { from: index, to: index }))
    return answer === undefined ? undefined : lastQuestion(answer)
  return undefined
}

/** Whether `test passed (npm test)` says that `test failed (npm test -- mail)` is over: in another dialog only a run of at least as much does. */
function fixes(passed: string, failed: string, isSameDialog: boolean): boolean {
  const [kind, command = ''] = passed.split(' passed (')
  const [kindThen, commandThen = ''] = failed.split(' failed (')
  return kind === kindThen && (isSameDialog || commandThen.startsWith(command.slice(0, -1)))
}

function isAtWork({ status, lastSeen }: Dialog): boolean {
  return status === 'in_progress' && Date.now() - lastSeen < SILENCE_MS
}

export function nothing(): Today {
  return { requests: [], total: 0, needs: [], working: [], dialogs: 0 }
}

interface Working {
  readonly sessionId: string
  readonly source: SourceName
  readonly title?: string
  readonly firstRequestPreview?: string
  readonly project?: string
  /** When it last wrote something. */
  readonly at: number
  readonly file?: string
  readonly command?: string
  /** Absent while the command runs. */
  readonly exit?: number
}

/** Dialogs in which something happened in the last minutes, in any project, with the last file and command of each. */
async function atWork({ dialogs, store }: LedgerParts, now: number): Promise<Working[]> {
  const recent = { asked: true, since: now - SILENCE_MS, limit: MAX_AGENTS, offset: 0 }
  const found = await dialogs.store.list(recent)
  return Promise.all(
    found.dialogs.map(
      async ({ sessionId, source, title, firstRequestPreview, project, lastSeen }) => {
        const deeds = await store.find({ sessionId, limit: LAST_DEEDS })
        const file = deeds.find(({ path }) => path !== undefined)?.path
        const command = deeds.find(({ kind }) => kind === 'command')
        return {
          sessionId,
          source,
          at: lastSeen,
          ...(title ? { title } : {}),
          ...(firstRequestPreview ? { firstRequestPreview } : {}),
          ...(project ? { project } : {}),
          ...(file ? { file } : {}),
          ...(command?.text ? { command: command.text.split('\n')[0] ?? '' } : {}),
          ...(command?.exit === undefined ? {} : { exit: command.exit }),
        }
      },
    ),
  )
}

export interface RequestDay {
  readonly day: string
  readonly source: SourceName
  readonly requests: number
}

/** How many requests each agent got on each day. What was counted of a dialog holds until the dialog changes. */
export class RequestDays {
  readonly #dialogs: Dialogs
  readonly #counted = new Map<string, { stamp: string; days: ReadonlyMap<string, number> }>()

  constructor(dialogs: Dialogs) {
    this.#dialogs = dialogs
  }

  async since(caller: Caller, day: string, signal: AbortSignal): Promise<RequestDay[]> {
    if (!(await this.#dialogs.ready(caller, signal))) return []
    const sums = new Map<string, RequestDay>()
    const since = Date.parse(day)
    for (let offset = 0; offset < MAX_COUNTED; offset += PAGE) {
      const filter = { asked: true, since, limit: PAGE, offset }
      const { dialogs } = await this.#dialogs.store.list(filter)
      for (const dialog of dialogs) {
        signal.throwIfAborted()
        for (const [asked, count] of await this.#daysOf(dialog)) {
          if (asked < day) continue
          const key = `${asked} ${dialog.source}`
          const requests = (sums.get(key)?.requests ?? 0) + count
          sums.set(key, { day: asked, source: dialog.source, requests })
        }
      }
      if (dialogs.length < PAGE) break
    }
    return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
  }

  async #daysOf(dialog: Dialog): Promise<ReadonlyMap<string, number>> {
    const stamp = `${dialog.size}/${dialog.mtimeMs}`
    const known = this.#counted.get(dialog.key)
    if (known?.stamp === stamp) return known.days
    const days = new Map<string, number>()
    for (const { time } of await this.#dialogs.texts.marks(dialog)) {
      const at = new Date(time ?? dialog.firstSeen)
      if (Number.isNaN(at.getTime())) continue
      const day = at.toISOString().slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
    this.#counted.set(dialog.key, { stamp, days })
    return days
  }
}
