import { cutText } from '../preview.ts'
import { estimateTokens, fitTokens } from '../token-estimate.ts'
import type { RecallLines } from './recall-ports.ts'

export interface RecalledRequest {
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

export const GROUPS = ['openTasks', 'rules', 'decisions', 'files'] as const
export type Group = (typeof GROUPS)[number]

export interface Recall extends Partial<Record<Group, string[]>> {
  sessionId?: string
  source?: string
  title?: string
  /** That the dialog is not the caller's own, which has only begun. */
  note?: string
  totalRequests?: number
  firstRequest?: RecalledRequest
  /** Oldest of them first. */
  latestRequests?: RecalledRequest[]
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
  readonly groups: Readonly<Partial<Record<Group, RecallLines>>>
  readonly problems: readonly string[]
}

/** The largest share of the budget that a part may take, so that none crowds out the others. */
const SHARES: Readonly<Record<Group, number>> = {
  openTasks: 0.14,
  rules: 0.14,
  decisions: 0.1,
  files: 0.06,
}
const HOW: Readonly<Record<Group, string>> = {
  openTasks: 'open tasks: list_tasks',
  rules: 'rules: get_content',
  decisions: 'decisions: context_search with type decision',
  files: 'files: context_search',
}
const EARLIER =
  'This dialog is new. What follows was asked in an earlier one: use it as background, not as what is asked now.'
export const DEFAULT_BUDGET = 1500
const FIRST_SHARE = 0.35
const BOTH_SHARE = 0.68
const LONGEST_LINE = 200
/** Kept free for the list of what was left out. */
const RESERVE = 110

/** Fits what there is into a budget: the first and the latest request before everything else, whole where they fit. */
export function composeRecall(
  { dialog, isEarlier, totalRequests, first, latest, groups, problems }: Material,
  budget: number,
): Recall {
  const recall: Recall = {
    ...dialog,
    ...(isEarlier ? { note: EARLIER } : {}),
    ...(dialog ? { totalRequests } : {}),
    leftOut: [...problems],
    tokens: 0,
  }
  let left = budget - costOf(recall) - RESERVE
  const spend = (tokens: number) => {
    left -= tokens
  }

  if (first) {
    recall.firstRequest = fitted(first, Math.min(left, budget * FIRST_SHARE))
    spend(costOf(recall.firstRequest))
  }
  const [newest, ...earlier] = latest
  const shown: RecalledRequest[] = []
  if (newest) {
    const spent = first ? costOf(recall.firstRequest) : 0
    shown.push(fitted(newest, Math.min(left, budget * BOTH_SHARE - spent)))
    spend(costOf(shown[0]))
  }
  for (const group of GROUPS) {
    const { lines = [], total = 0 } = groups[group] ?? {}
    const taken = linesWithin(lines, Math.min(left, budget * SHARES[group]))
    if (taken.length > 0) recall[group] = taken
    spend(taken.length > 0 ? costOf(taken) + 4 : 0)
    if (total > taken.length) recall.leftOut.push(`${total - taken.length} ${HOW[group]}`)
  }
  for (const request of earlier) {
    const cost = costOf(request) + 1
    if (cost > left) break
    shown.unshift(request)
    spend(cost)
  }
  if (shown.length > 0) recall.latestRequests = shown
  const oldest = shown[0]?.index ?? totalRequests + 1
  if (oldest > 2)
    recall.leftOut.push(
      `requests ${oldest === 3 ? '2' : `2–${oldest - 1}`}: list_requests, get_request`,
    )
  recall.tokens = costOf(recall)
  return recall
}

function fitted(request: RecalledRequest, most: number): RecalledRequest {
  if (costOf(request) <= most) return request
  const room = Math.max(0, most - 60)
  // A text costs more as JSON, by its escapes: the estimate is made on what will be sent.
  let text = fitTokens(request.request, room)
  while (text.length > 0 && costOf(text) > room + 2)
    text = text.slice(0, Math.floor(text.length * 0.9))
  const whole = cutText(text, Math.max(1, text.length))
  const note = `… [cut: ${request.request.length} characters; get_request {"index":${request.index}} gives all]`
  return { ...request, request: `${whole}${note}` }
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
