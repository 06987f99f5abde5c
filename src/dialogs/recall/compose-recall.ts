import { estimateTokens, fitTokens } from '../../core/token-estimate.ts'
import { dialogsFamily } from '../family.ts'
import { cutText } from '../preview.ts'
import { groupFiles } from './group-files.ts'
import type { RecallLines } from './recall-ports.ts'

export interface RecalledRequest {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  /** The question of the agent that a bare "yes" answers. */
  readonly answers?: string
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
  /** What the person wants to hold from now on, word for word. */
  standing?: string[]
  /** Oldest of them first. */
  latestRequests?: RecalledRequest[]
  /** The last test and build, and what is open. */
  state?: string[]
  /** Grouped by folder, the likeliest first. */
  files?: string[]
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
  readonly first?: RecalledRequest
  /** Newest first, without the first request of the dialog. */
  readonly latest: readonly RecalledRequest[]
  /** Newest first. */
  readonly standing?: readonly string[]
  readonly state?: readonly string[]
  /** The likeliest first. */
  readonly files?: readonly string[]
  readonly fromOthers?: readonly string[]
  readonly groups: Readonly<Partial<Record<Group, RecallLines>>>
  readonly problems: readonly string[]
}

export const DEFAULT_BUDGET = 1500
/** The largest share of the budget that a part may take, so that none crowds out the others. */
const SHARES = { openTasks: 0.08, rules: 0.08, decisions: 0.06, standing: 0.1, state: 0.08 }
const FIRST_SHARE = 0.2
const BOTH_SHARE = 0.36
const EARLIER_SHARE = 0.1
/** What others asked comes after everything of one's own, and stays small. */
const OTHERS_SHARE = 0.1
const NAMES: Readonly<Record<Group, string>> = {
  openTasks: 'open tasks',
  rules: 'rules',
  decisions: 'decisions',
}
const EARLIER =
  'This dialog is new. What follows was asked in an earlier one: use it as background, not as what is asked now.'
const LONGEST_LINE = 240
/** Kept free for the list of what was left out, at first and once most of it is known. */
const RESERVE = 140
const FOR_HINTS = 50

const tool = (name: string) => dialogsFamily.finalName(name, '')

/** Fits what there is into a budget: the first and the latest request before everything else, whole where they fit. */
export function composeRecall(material: Material, budget: number): Recall {
  const { dialog, isEarlier, totalRequests, first, latest, groups, problems } = material
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

  const [newest, ...earlier] = latest
  const forNewest = newest ? Math.min(costOf(newest), budget * (BOTH_SHARE - FIRST_SHARE)) : 0
  if (first)
    recall.firstRequest = spend(fitted(first, Math.min(left, budget * BOTH_SHARE - forNewest)))
  const shown: RecalledRequest[] = []
  if (newest) {
    const spent = first ? costOf(recall.firstRequest) : 0
    shown.push(spend(fitted(newest, Math.min(left, budget * BOTH_SHARE - spent))))
  }
  const addLines = (
    name: 'standing' | 'state' | Group,
    lines: readonly string[],
    total: number,
  ) => {
    const taken = linesWithin(lines, Math.min(left, budget * SHARES[name]))
    if (taken.length > 0) recall[name] = spend(taken)
    return total - taken.length
  }
  const { standing = [], state = [], files = [] } = material
  const unsaid = addLines('standing', standing, standing.length)
  if (unsaid > 0) recall.leftOut.push(`${unsaid} older wishes: ${tool('search_requests')}`)
  addLines('state', state, state.length)
  for (const group of GROUPS) {
    const { lines = [], total = 0, tool: rest } = groups[group] ?? {}
    const missing = addLines(group, lines, total)
    if (missing > 0) recall.leftOut.push(`${missing} ${NAMES[group]}${rest ? `: ${rest}` : ''}`)
  }
  const fromOthers = linesWithin(material.fromOthers ?? [], Math.min(left, budget * OTHERS_SHARE))
  const forOthers = fromOthers.length > 0 ? costOf({ fromOthers }) : 0
  let room = files.length > 0 ? budget * EARLIER_SHARE : left - forOthers
  const takeEarlier = () => {
    for (let request = earlier[0]; request; request = earlier[0]) {
      const cost = costOf(request) + 5
      if (cost > room) return
      shown.unshift(spend(request))
      room -= cost
      earlier.shift()
    }
  }
  takeEarlier()
  const spare = (lines?: readonly string[]) =>
    budget -
    FOR_HINTS -
    forOthers -
    costOf({ ...recall, latestRequests: shown, ...(lines ? { files: lines } : {}) })
  const grouped = groupFiles(files, (lines) => spare(lines) >= 0)
  if (grouped.count > 0) recall.files = grouped.lines
  if (files.length > grouped.count)
    recall.leftOut.push(`${files.length - grouped.count} more files: ${tool('ledger')}`)
  room = spare()
  takeEarlier()
  if (shown.length > 0) recall.latestRequests = shown
  const oldest = shown[0]?.index ?? totalRequests + 1
  if (oldest > 2)
    recall.leftOut.push(
      `requests ${oldest === 3 ? '2' : `2–${oldest - 1}`}: ${tool('get_request')}`,
    )
  if (fromOthers.length > 0) recall.fromOthers = fromOthers
  // A tiny budget has no room for every hint; the way to the requests goes last.
  while (costOf(recall) > budget && recall.leftOut.length > 1) recall.leftOut.splice(-2, 1)
  const { leftOut, tokens: _tokens, ...rest } = recall
  return { ...rest, leftOut, tokens: costOf(recall) }
}

function fitted(request: RecalledRequest, most: number): RecalledRequest {
  if (costOf(request) <= most) return request
  const { done, answers: _answers, ...bare } = request
  const deeds = done !== undefined && costOf(done) < most / 3 ? { done } : {}
  const room = Math.max(0, most - 66 - costOf(deeds))
  // A text costs more as JSON, by its escapes: the estimate is made on what will be sent.
  let text = fitTokens(bare.request, room)
  while (text.length > 0 && costOf(text) > room + 2)
    text = text.slice(0, Math.floor(text.length * 0.9))
  const whole = cutText(text, Math.max(1, text.length))
  const note = `… [cut: ${bare.request.length} characters; ${tool('get_request')} {"index":${bare.index}} gives all]`
  return {
    ...(costOf({ ...bare, ...deeds }) <= most ? bare : { ...bare, request: `${whole}${note}` }),
    ...deeds,
  }
}

function linesWithin(lines: readonly string[], most: number): string[] {
  const taken: string[] = []
  let left = most
  for (const line of lines) {
    const short = line.length > LONGEST_LINE ? `${cutText(line, LONGEST_LINE)}…` : line
    left -= costOf(short) + 1
    if (left < 0) break
    taken.push(short)
  }
  return taken
}

function costOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '')
}
