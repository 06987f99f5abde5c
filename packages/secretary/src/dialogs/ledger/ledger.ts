import { repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { CommandKind, DeedKind } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { diffsInWhole } from '@secretary-mcp/transcripts/deeds/diff-at.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import { headOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { endsWithQuestion } from '../bare-reply.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import { fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { WorkedRequest } from '../store/requests-in-spaces.ts'
import { commitsOf, type ProvenCommit } from './commits.ts'
import {
  type Doubt,
  entryOf,
  inWords,
  judgeRequest,
  type LedgerEntry,
  PresentFiles,
  type RequestState,
  standingOf,
} from './ledger-entry.ts'

const MAX_CHANGES = 60
const MAX_COMMANDS = 100
const MAX_DIFF = 20_000
const MAX_SHOWN_CHANGES = 6
const MAX_SHOWN_DIFF = 800

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

/** What happened to every request of a dialog, newest last. */
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

export interface RequestWork {
  readonly changes: {
    readonly path: string
    readonly kind: DeedKind
    readonly plus: number
    readonly minus: number
    /** Lines with + and -, as the agent's own file has them; absent where that is gone or does not say. */
    readonly diff?: string
  }[]
  readonly commands: {
    readonly command: string
    readonly kind: CommandKind
    readonly at: number
    /** Absent where nobody saw it end. */
    readonly exit?: number
    /** The last lines of a failure. */
    readonly tail?: string
  }[]
}

/** Everything that was changed and run for one request, in order. */
export async function requestWork(
  { dialogs, store }: LedgerParts,
  caller: Caller,
  { sessionId, index }: { readonly sessionId: string; readonly index: number },
  signal: AbortSignal,
): Promise<RequestWork> {
  const dialog = await dialogs.require(caller, sessionId, signal)
  const marks = await dialogs.texts.marks(dialog)
  const own = byPosition(await deedsOfDialog(store, dialog, marks)).get(index) ?? []
  const isChange = ({ kind }: PlacedDeed) => /^(create|change|delete)$/.test(kind)
  const diffOf = diffReader(dialogs.index.sourceOf(dialog), dialog, signal)
  const changes = []
  for (const deed of own.filter(isChange).slice(0, MAX_CHANGES)) {
    signal.throwIfAborted()
    const { path = '', kind, lines } = deed
    const diff = await diffOf(deed).catch(() => undefined)
    changes.push({
      path,
      kind,
      plus: lines?.plus ?? 0,
      minus: lines?.minus ?? 0,
      ...(diff ? { diff: cut(redact(diff)) } : {}),
    })
  }
  return { changes, commands: own.filter(isCommand).slice(0, MAX_COMMANDS).map(commandOf) }
}

/** The lines of a few changes of one dialog, as the agent's own file has them. */
export async function changedLinesOf(
  dialogs: Dialogs,
  caller: Caller,
  changes: readonly StoredDeed[],
  signal: AbortSignal,
): Promise<{ path: string; diff?: string }[]> {
  const [first] = changes
  if (!first) return []
  const dialog = await dialogs.require(caller, first.sessionId, signal).catch(() => undefined)
  const diffOf = dialog && diffReader(dialogs.index.sourceOf(dialog), dialog, signal)
  const shown: { path: string; diff?: string }[] = []
  for (const deed of changes.slice(0, MAX_SHOWN_CHANGES)) {
    const diff = await diffOf?.(deed).catch(() => undefined)
    const text = diff === undefined ? undefined : redact(diff)
    const short =
      text && text.length > MAX_SHOWN_DIFF ? `${text.slice(0, MAX_SHOWN_DIFF)}\n…` : text
    shown.push({ path: deed.path ?? '', ...(short ? { diff: short } : {}) })
  }
  return shown
}

/** A dialog that is only read as a whole is read once for all of its changes. */
function diffReader(source: Source | undefined, { chatJsonPath }: Dialog, signal: AbortSignal) {
  const context = { signal, warn: () => {}, wantsDeeds: true }
  const wholes = new Map<string, ReturnType<typeof diffsInWhole>>()
  const readAgain = (key: string) =>
    diffsInWhole(async () => {
      const isRow = chatJsonPath !== undefined && key.startsWith(`${chatJsonPath}#`)
      const found = await source?.stat(key, isRow ? chatJsonPath : key)
      return found && source ? source.read(found, undefined, context) : {}
    })
  return async (deed: StoredDeed): Promise<string | undefined> => {
    const { key } = deed
    if (source?.diffAt) return source.diffAt(key, deed)
    const whole = wholes.get(key) ?? readAgain(key)
    wholes.set(key, whole)
    return (await whole)(deed)
  }
}

function isCommand({ kind, text }: PlacedDeed): boolean {
  return kind === 'command' && text !== undefined
}

function commandOf({ text = '', commandKind = 'other', time, exit, tail }: PlacedDeed) {
  return {
    command: text,
    kind: commandKind,
    at: time,
    ...(exit === undefined ? {} : { exit }),
    ...(tail ? { tail } : {}),
  }
}

function cut(diff: string): string {
  return diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF)}\n…` : diff
}
