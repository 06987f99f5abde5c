import * as z from 'zod'

import { redactBeginning } from './redact.ts'
import type { Result } from './result.ts'
import { estimateTokens } from './token-estimate.ts'
import { type Caller, PAGE_CLIENT } from './tool.ts'

const MAX_ANSWER = 600
/** Enough to estimate by: the rest of a long answer counts at the same rate. */
const SAMPLED = 20_000
const MAX_ARGUMENT_LENGTH = 200
const SECRET = /key|token|secret|password|credential|auth/i

/** Durations in buckets that grow by 5 %, so that figures of many processes can be added up and kept. */
const GROWTH = Math.log(1.05)
const SMALLEST_MS = 0.01
const HOUR_MS = 3_600_000
const FLUSH_AFTER_MS = 1_000
const MAX_PENDING = 500

export const GROUPINGS = ['day', 'agent', 'tool', 'project'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** One call as a person may look at it later: without secrets, and without the contents of files. */
export interface LoggedCall {
  /** ISO 8601. */
  readonly at: string
  readonly user: string
  readonly agent?: string
  readonly project: string
  readonly session?: string
  readonly tool: string
  readonly ms: number
  /** Of the answer, estimated. */
  readonly tokens: number
  readonly error?: string
  /** JSON. */
  readonly arguments: string
  /** Its beginning; absent where it could hold the contents of files. */
  readonly answer?: string
  readonly byPage: boolean
}

/** Somebody else's, as an operator may look at it: that it was made, not what was asked and answered. */
export type SeenCall = Omit<LoggedCall, 'arguments'> & Partial<Pick<LoggedCall, 'arguments'>>

export const figure = z.object({
  name: z.string(),
  calls: z.int(),
  failed: z.int(),
  tokens: z.int().describe('Of the answers, estimated'),
  ms: z.number().describe('Mean time of a call'),
})
export type Figure = z.output<typeof figure>

export interface CallFilter {
  readonly user?: string
  readonly session?: string
  readonly tool?: string
  readonly byPage?: boolean
  readonly failed?: boolean
  readonly limit: number
}

/** A call that ended. Its log line, its counts, what its span says and what is stored of it all come from this. */
export interface EndedCall {
  readonly at: Date
  readonly tool: string
  readonly args: unknown
  readonly caller: Caller
  readonly ms: number
  /** Of the answer, as JSON. */
  readonly text: string
  readonly result: Result
  /** Its answers can hold the contents of files, which no record keeps. */
  readonly holdsFiles: boolean
}

/** One counter: how often `key` was seen for a tool within an hour. Keys: `ok`, `error:<kind>`, `limited`, `bucket:<n>`, `page`, `overrun`. */
export interface Tally {
  readonly tool: string
  readonly user: string
  readonly hour: string
  readonly key: string
  readonly count: number
  /** Which server counted it, where there are several. */
  readonly replica?: string
}

/** Of one user or of all; of one server or of all. */
interface Whose {
  readonly user?: string
  readonly replica?: string
}

/** What is stored of calls. */
export interface CallStore {
  /** Both or neither. */
  add(calls: readonly LoggedCall[], tallies: readonly Tally[]): Promise<void>
  /** The latest first. */
  latest(filter: CallFilter): Promise<LoggedCall[]>
  /** What a user's calls asked and answered; that they were made is still told. */
  forgetWords(user: string): Promise<void>
  /** Of agents alone, since a day; of one user, or of all. */
  figures(by: Grouping, since: string, user?: string): Promise<Figure[]>
  tallies(hour: string, whose?: Whose): Promise<Tally[]>
}

const percentiles = {
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  p99Ms: z.number().optional(),
}

/** What the counts of a tool come to. */
export const toolStats = z.object({
  tool: z.string(),
  calls: z.int(),
  successRate: z.number(),
  ...percentiles,
  errors: z.record(z.string(), z.int()),
  rateLimitHits: z.int(),
  overruns: z.int().describe('Calls that took longer than their maximum'),
  pageCalls: z.int().describe('Calls by the web page, not among the calls'),
})
export type ToolStats = z.output<typeof toolStats>

/** The same for one hour. */
export const hourStats = z.object({
  hour: z.string(),
  tool: z.string(),
  calls: z.int(),
  failed: z.int(),
  ...percentiles,
  rateLimitHits: z.int(),
})
type HourStats = z.output<typeof hourStats>

/** The account of all calls. Kept for a moment, so that a call never waits for its own record. */
export class Calls {
  readonly #store: CallStore
  #ended: EndedCall[] = []
  /** What the store did not take. */
  #unsaved: LoggedCall[] = []
  #counts = new Map<string, number>()
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: CallStore) {
    this.#store = store
  }

  record(call: EndedCall): void {
    // Where the store is away, the oldest are lost, never the calls.
    if (this.#ended.length >= MAX_PENDING) this.#ended.shift()
    this.#ended.push(call)
    for (const key of countersOf(call)) this.#count(call, key)
  }

  /** A call is past its maximum and still runs. */
  recordOverrun(tool: string, caller: Caller): void {
    this.#count({ tool, caller, at: new Date() }, 'overrun')
  }

  /** Statistics must never cost a call: where the store fails, everything stays for the next try. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write())
    return this.#flushing
  }

  async forgetWords(user: string): Promise<void> {
    await this.flush()
    await this.#store.forgetWords(user)
  }

  /** The latest first. What people asked and were told is shown to themselves alone. */
  async latest(filter: CallFilter, reader: string): Promise<SeenCall[]> {
    await this.flush()
    const calls = await this.#store.latest(filter)
    return calls.map((call) => (call.user === reader ? call : withoutWords(call)))
  }

  async figures(by: Grouping, since: string, user?: string): Promise<Figure[]> {
    await this.flush()
    return this.#store.figures(by, since, user)
  }

  /** A member's own counts; the whole for an operator. */
  seenBy({ user, role }: Pick<Caller, 'user' | 'role'>) {
    const whose = role === 'operator' ? {} : { user }
    return {
      stats: (sinceHour = '', replica?: string) => this.stats(sinceHour, { ...whose, replica }),
      hours: async (sinceHour = '') => hoursOf(await this.#tallies(sinceHour, whose)),
      /** The servers that have counted anything. */
      replicas: async () => {
        const tallies = await this.#store.tallies('', whose)
        return [...new Set(tallies.map(({ replica = '' }) => replica))].sort()
      },
    }
  }

  /** How often each user has called each tool. */
  async byUser(sinceHour: string) {
    return callsByUser(await this.#tallies(sinceHour))
  }

  async stats(sinceHour = '', whose: Whose = {}) {
    return statsOf(await this.#tallies(sinceHour, whose))
  }

  async #tallies(sinceHour: string, whose: Whose = {}): Promise<Tally[]> {
    await this.flush()
    return this.#store.tallies(sinceHour, whose)
  }

  #count({ tool, caller, at }: Pick<EndedCall, 'tool' | 'caller' | 'at'>, key: string): void {
    const id = `${tool}\0${caller.user}\0${hourOf(at)}\0${key}`
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.flush().catch(() => {}), FLUSH_AFTER_MS).unref()
  }

  async #write(): Promise<void> {
    const calls = [...this.#unsaved, ...this.#ended.map(loggedCall)].slice(-MAX_PENDING)
    const counts = this.#counts
    if (counts.size === 0 && calls.length === 0) return
    this.#ended = []
    this.#unsaved = []
    this.#counts = new Map()
    try {
      await this.#store.add(calls, [...counts].map(tallyOf))
    } catch (error) {
      this.#unsaved = calls
      for (const [id, count] of counts) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count)
      throw error
    }
  }
}

/** Of a call by the page, which is no agent's, only the number is kept. */
function countersOf({ caller, ms, result }: EndedCall): string[] {
  if (caller.client === PAGE_CLIENT) return ['page']
  const error = errorTypeOf(result)
  if (error === 'rate_limited') return ['limited']
  return [error === undefined ? 'ok' : `error:${error}`, `bucket:${bucketOf(ms)}`]
}

export function bucketOf(ms: number): number {
  return Math.max(0, Math.round(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / GROWTH))
}

function tallyOf([id, count]: [string, number]): Tally {
  const [tool = '', user = '', hour = '', key = ''] = id.split('\0')
  return { tool, user, hour, key, count }
}

/** The hour that was so many days ago, as counts name it. */
export function hourBefore(days: number): string {
  return hourOf(new Date(Date.now() - 24 * days * HOUR_MS))
}

function hourOf(time: Date): string {
  return time.toISOString().slice(0, 13)
}

export function errorTypeOf({ success, errorType }: Result): string | undefined {
  return success ? undefined : (errorType ?? 'unknown')
}

/** A call as the log tells of it. */
export function logLine({ tool, args, caller, ms, text, result }: EndedCall) {
  return {
    tool,
    params: loggable(args),
    session: caller.session ?? null,
    user: caller.user,
    ms: Math.round(ms * 100) / 100,
    size: text.length,
    success: result.success,
    results: resultCount(result.value),
    errorType: errorTypeOf(result),
  }
}

/** How many results an answer has: the length of its list, where it is one or has one. */
function resultCount(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  if (value === null || typeof value !== 'object') return undefined
  return Object.values(value).find(Array.isArray)?.length
}

function withoutWords({ arguments: _asked, answer: _answered, ...call }: LoggedCall): SeenCall {
  return call
}

/** What is kept of a call. */
function loggedCall(call: EndedCall): LoggedCall {
  const { at, tool, args, caller, ms, text, holdsFiles } = call
  const error = errorTypeOf(call.result)
  const { user, client, project, session, dialog } = caller
  return {
    at: at.toISOString(),
    user,
    agent: client,
    project,
    session: dialog ?? session,
    tool,
    ms: Math.round(ms * 100) / 100,
    tokens: tokensOf(text),
    error,
    arguments: JSON.stringify(loggable(args) ?? {}),
    answer: holdsFiles && error === undefined ? undefined : redactBeginning(text, MAX_ANSWER),
    byPage: client === PAGE_CLIENT,
  }
}

function tokensOf(text: string): number {
  if (text.length <= SAMPLED) return estimateTokens(text)
  return Math.ceil((estimateTokens(text.slice(0, SAMPLED)) * text.length) / SAMPLED)
}

/** Arguments as the log may have them: short, and without anything that is named like a secret or like contents. */
export function loggable(args: unknown): unknown {
  if (args === null || typeof args !== 'object') return shortened(args)
  return Object.fromEntries(
    Object.entries(args)
      .slice(0, 20)
      .map(([name, value]) => [
        name.slice(0, 50),
        SECRET.test(name) || name === 'content' ? '[left out]' : shortened(value),
      ]),
  )
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_ARGUMENT_LENGTH
      ? `${redactBeginning(value, MAX_ARGUMENT_LENGTH)}… (${value.length} characters)`
      : redactBeginning(value, MAX_ARGUMENT_LENGTH)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? `[${value.length} items]` : '{…}'
}

/** The most called first. */
function statsOf(tallies: readonly Tally[]): ToolStats[] {
  return [...groupBy(tallies, ({ tool }) => tool)]
    .map(([tool, own]) => summarise(tool, own))
    .sort((a, b) => b.calls - a.calls)
}

/** Calls and failures of each tool by the hour, oldest first. */
function hoursOf(tallies: readonly Tally[]): HourStats[] {
  return [...groupBy(tallies, ({ hour, tool }) => `${hour} ${tool}`)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([key, own]) => {
      const [hour = '', tool = ''] = key.split(' ')
      const { calls, successRate, p50Ms, p95Ms, p99Ms, rateLimitHits } = summarise(tool, own)
      const failed = Math.round(calls * (1 - successRate))
      return { hour, tool, calls, failed, p50Ms, p95Ms, p99Ms, rateLimitHits }
    })
    .filter(({ calls }) => calls > 0)
}

/** How often each user has called each tool. */
function callsByUser(tallies: readonly Tally[]): { user: string; tool: string; calls: number }[] {
  const counted = tallies.filter(({ key }) => !key.startsWith('bucket:') && key !== 'overrun')
  return [...groupBy(counted, ({ user, tool }) => JSON.stringify([user, tool])).values()].flatMap(
    ([first, ...more]) =>
      first
        ? [
            {
              user: first.user,
              tool: first.tool,
              calls: more.reduce((n, { count }) => n + count, first.count),
            },
          ]
        : [],
  )
}

function groupBy(tallies: readonly Tally[], keyOf: (tally: Tally) => string): Map<string, Tally[]> {
  const groups = new Map<string, Tally[]>()
  for (const tally of tallies) {
    const group = groups.get(keyOf(tally))
    if (group) group.push(tally)
    else groups.set(keyOf(tally), [tally])
  }
  return groups
}

function summarise(tool: string, tallies: readonly Tally[]): ToolStats {
  const sum = (keep: (key: string) => boolean) =>
    tallies.filter(({ key }) => keep(key)).reduce((total, { count }) => total + count, 0)
  const buckets = new Map<number, number>()
  const errors: Record<string, number> = {}
  for (const { key, count } of tallies) {
    const [kind, rest = ''] = key.split(':')
    if (kind === 'bucket') buckets.set(Number(rest), (buckets.get(Number(rest)) ?? 0) + count)
    if (kind === 'error') errors[rest] = (errors[rest] ?? 0) + count
  }
  const ok = sum((key) => key === 'ok')
  const limited = sum((key) => key === 'limited')
  const calls = ok + limited + Object.values(errors).reduce((total, count) => total + count, 0)
  return {
    tool,
    calls,
    successRate: calls === 0 ? 1 : ok / calls,
    p50Ms: percentile(buckets, 0.5),
    p95Ms: percentile(buckets, 0.95),
    p99Ms: percentile(buckets, 0.99),
    errors,
    rateLimitHits: limited,
    pageCalls: sum((key) => key === 'page'),
    overruns: sum((key) => key === 'overrun'),
  }
}

function msOf(bucket: number): number {
  return SMALLEST_MS * Math.exp(bucket * GROWTH)
}

/** The duration below which the given share of all calls lies, from counts by bucket. */
function percentile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const buckets = [...counts].sort(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  for (const [bucket, count] of buckets) {
    seen += count
    if (seen >= total * share) return msOf(bucket)
  }
  return undefined
}
