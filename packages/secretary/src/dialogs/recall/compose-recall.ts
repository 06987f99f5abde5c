import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { estimateTokens, fitTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import { cutText, shownLine } from '@secretary-mcp/transcripts/preview.ts'

export interface RecalledRequest {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  /** The question that it answers. */
  readonly answers?: string
  /** Who wrote it, where that was not the person. */
  readonly note?: string
  /** What was done for it. */
  readonly done?: string
}

export const GROUPS = ['openTasks', 'rules', 'decisions'] as const
export type Group = (typeof GROUPS)[number]

export interface Recall extends Partial<Record<Group, string[]>> {
  sessionId?: string
  source?: string
  title?: string
  /** That the dialog is not the caller's own, which has only begun. */
  note?: string
  totalRequests?: number
  firstRequest?: RecalledRequest
  /** The requests between the first and the latest, a line each, oldest first. */
  otherRequests?: string[]
  /** In full, oldest of them first. */
  latestRequests?: RecalledRequest[]
  /** The agent's own to-do list and plan, how the last test, build and lint ended, and what waits for the person. */
  underWay?: string[]
  /** What somebody pinned, with when and where. */
  pinned?: string[]
  /** Typed sentences that the person meant to hold from then on, word for word. */
  standing?: string[]
  /** Edited or read last. */
  files?: string[]
  /** Commands that ended well here. */
  commands?: string[]
  /** What others asked lately about these files, as far as they share it. */
  fromOthers?: string[]
  leftOut: string[]
  /** An estimate, on the high side. */
  tokens: number
}

export interface Material {
  readonly dialog?: { readonly sessionId: string; readonly source: string; readonly title?: string }
  /** The dialog is one before the caller's own. */
  readonly isEarlier?: boolean
  readonly totalRequests: number
  /** All of them, oldest first. */
  readonly requests: readonly RecalledRequest[]
  readonly underWay?: readonly string[]
  readonly pinned?: readonly string[]
  readonly standing?: readonly string[]
  readonly files?: readonly string[]
  readonly commands?: readonly string[]
  readonly fromOthers?: readonly string[]
  readonly groups: Readonly<Partial<Record<Group, RecallLines>>>
  readonly problems: readonly string[]
}

export const DEFAULT_BUDGET = 1500
/** The largest share of the budget that a part may take, so that none crowds out the others. */
const SHARES = {
  first: 0.16,
  latest: 0.2,
  underWay: 0.14,
  pinned: 0.12,
  standing: 0.06,
  files: 0.22,
  commands: 0.1,
  openTasks: 0.06,
  rules: 0.06,
  decisions: 0.05,
  fromOthers: 0.06,
}
const NAMES: Readonly<Record<Group, string>> = {
  openTasks: 'open tasks',
  rules: 'rules',
  decisions: 'decisions',
}
const EARLIER =
  'This dialog is new. What follows was asked in an earlier one: use it as background, not as what is asked now.'
/** Long enough to recognise a request, short enough that forty fit. */
const MAX_ONE_LINE = 72
const MAX_LINE = 240
/** Kept free for the list of what was left out. */
const RESERVE = 60

/** Fits what there is into a budget: the person's requests before everything else, all of them if they fit. */
export function composeRecall(material: Material, budget: number): Recall {
  const { dialog, isEarlier, totalRequests, requests, groups, problems } = material
  const recall: Recall = {
    ...dialog,
    ...(isEarlier ? { note: EARLIER } : {}),
    ...(dialog ? { totalRequests } : {}),
    leftOut: [...problems],
    tokens: 0,
  }
  let left = budget - costOf(recall) - RESERVE
  const spend = <T>(part: T): T => {
    left -= costOf(part) + 4
    return part
  }
  const [first, ...later] = requests
  const newest = later.pop()
  if (first) recall.firstRequest = spend(fitRequest(first, Math.min(left, budget * SHARES.first)))
  const latest: RecalledRequest[] = []
  if (newest) latest.push(spend(fitRequest(newest, Math.min(left, budget * SHARES.latest))))

  const addLines = (name: LinePart, lines: readonly string[], total = lines.length) => {
    const taken = takeLines(lines, Math.min(left, budget * SHARES[name]))
    if (taken.length > 0) recall[name] = spend(taken)
    return total - taken.length
  }
  addLines('underWay', material.underWay ?? [])
  const unpinned = addLines('pinned', material.pinned ?? [])
  if (unpinned > 0) recall.leftOut.push(`${unpinned} more pinned: recall with a larger budget`)
  addLines('standing', material.standing ?? [])
  addLines('files', material.files ?? [])
  addLines('commands', material.commands ?? [])
  for (const group of GROUPS) {
    const { lines = [], total = 0, tool: rest } = groups[group] ?? {}
    const missing = addLines(group, lines, total)
    if (missing > 0) recall.leftOut.push(`${missing} ${NAMES[group]}${rest ? `: ${rest}` : ''}`)
  }
  addLines('fromOthers', material.fromOthers ?? [])

  // Everything that is left goes to the person's requests: a line each, then the latest in full.
  const lines = later.map(oneLine)
  let from = lines.length
  while (from > 0 && left - costOf(lines[from - 1]) - 1 >= 0) {
    from--
    left -= costOf(lines[from]) + 1
  }
  let end = lines.length
  for (let request = later[end - 1]; request && end > from; request = later[end - 1]) {
    const more = costOf(request) + 4 - costOf(lines[end - 1])
    if (more > left) break
    left -= more
    latest.unshift(request)
    end--
  }
  // What is left goes to the first and the newest request, if they had to be cut.
  const widen = (cut: RecalledRequest, whole: RecalledRequest): RecalledRequest => {
    const wide = fitRequest(whole, costOf(cut) + left)
    left -= costOf(wide) - costOf(cut)
    return wide
  }
  if (newest && from === 0) latest[latest.length - 1] = widen(latest.at(-1) ?? newest, newest)
  if (first && recall.firstRequest && from === 0)
    recall.firstRequest = widen(recall.firstRequest, first)
  if (from < end) recall.otherRequests = lines.slice(from, end)
  if (latest.length > 0) recall.latestRequests = latest
  const oldest = later[from]?.index ?? newest?.index ?? 2
  if (from > 0) recall.leftOut.push(`requests 2–${oldest - 1}: get_request`)
  // A tiny budget has no room for every hint; the way to the requests goes last.
  while (costOf(recall) > budget && recall.leftOut.length > 1) recall.leftOut.splice(-2, 1)
  const { leftOut, tokens: _tokens, ...rest } = recall
  return { ...ordered(rest), leftOut, tokens: costOf(recall) }
}

type LinePart = Exclude<keyof typeof SHARES, 'first' | 'latest'>

/** In the order in which an agent reads them. */
function ordered(recall: Omit<Recall, 'leftOut' | 'tokens'>): Omit<Recall, 'leftOut' | 'tokens'> {
  const {
    firstRequest,
    otherRequests,
    latestRequests,
    underWay,
    pinned,
    standing,
    files,
    commands,
    openTasks,
    rules,
    decisions,
    fromOthers,
    ...about
  } = recall
  const parts = {
    pinned,
    firstRequest,
    otherRequests,
    latestRequests,
    underWay,
    standing,
    files,
    commands,
    openTasks,
    rules,
    decisions,
    fromOthers,
  }
  return {
    ...about,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
  }
}

/** `12. Sort the tasks by date (answers: Which order?) → changed 3 files`. */
function oneLine({ index, request, answers, done }: RecalledRequest): string {
  const plain = request.replace(/\s+/g, ' ').trim()
  const title = titleOf(request, MAX_ONE_LINE)
  // A title from further down says what the person typed; otherwise the request begins with it anyway.
  const text = plain.startsWith(title.replace(/…$/, '')) ? shownLine(plain, MAX_ONE_LINE) : title
  const about = answers === undefined ? '' : ` (answers: ${shownLine(answers, MAX_ONE_LINE)})`
  return `${index}. ${text}${about}${done === undefined ? '' : ` → ${done}`}`
}

function fitRequest(request: RecalledRequest, most: number): RecalledRequest {
  if (costOf(request) <= most) return request
  const { done, answers, ...bare } = request
  const work = {
    // A reply means nothing without its question: what was done goes first.
    ...(answers !== undefined && costOf(answers) < most / 2 ? { answers } : {}),
    ...(done !== undefined && costOf(done) < most / 3 ? { done } : {}),
  }
  const room = Math.max(0, most - 66 - costOf(work))
  // A text costs more as JSON, by its escapes: the estimate is made on what will be sent.
  let text = fitTokens(bare.request, room)
  while (text.length > 0 && costOf(text) > room + 2)
    text = text.slice(0, Math.floor(text.length * 0.9))
  const whole = cutText(text, Math.max(1, text.length))
  const note = `… [cut: ${bare.request.length} characters; get_request {"index":${bare.index}} gives all]`
  return {
    ...(costOf({ ...bare, ...work }) <= most ? bare : { ...bare, request: `${whole}${note}` }),
    ...work,
  }
}

function takeLines(lines: readonly string[], most: number): string[] {
  const taken: string[] = []
  let left = most
  for (const one of lines) {
    const line = quoteLine(cutText(one, 4 * MAX_LINE))
    const short = line.length > MAX_LINE ? `${cutText(line, MAX_LINE)}…` : line
    left -= costOf(short) + 1
    if (left < 0) break
    taken.push(short)
  }
  return taken
}

function costOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '')
}

/** Lines of another family, most important first, and how many there are in all. */
export interface RecallLines {
  readonly lines: readonly string[]
  readonly total: number
  /** The name under which clients know the tool that gives the rest. */
  readonly tool?: string
}

/** With `spaces`, only what comes from them and what is the caller's own. */
type Lines = (
  caller: Caller,
  limit: number,
  signal: AbortSignal,
  spaces?: readonly string[],
) => Promise<RecallLines>

/** What the other families add to a recall. Each may be absent, and may fail without harm to the rest. */
export interface RecallPorts {
  readonly openTasks?: Lines
  readonly pinned?: Lines
  readonly rules?: Lines
  readonly decisions?: Lines
  readonly files?: Lines
}
