import * as z from 'zod'
import type { Caller } from './tool.ts'

/** Durations in buckets that grow by 5 %, so that figures of many processes can be added up and kept. */
const GROWTH = Math.log(1.05)
const SMALLEST_MS = 0.01

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

/** Where counts live across restarts and processes. */
export interface MetricsStore {
  add(tallies: readonly Tally[]): Promise<void>
  since(hour: string, whose?: Whose): Promise<Tally[]>
}

interface CallRecord {
  readonly tool: string
  readonly user: string
  readonly ms: number
  readonly errorType?: string
  /** Not an agent's call: only its number is kept. */
  readonly byPage?: boolean
}

const FLUSH_AFTER_MS = 2_000
const HOUR_MS = 3_600_000

/** Counts in memory, added to the store a moment later, so that a call never waits for its own statistics. */
export class Metrics {
  #pending = new Map<string, number>()
  #lastHour = { number: -1, text: '' }
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()
  readonly #store: MetricsStore
  readonly #now: () => Date

  constructor(store: MetricsStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  record({ tool, user, ms, errorType, byPage }: CallRecord): void {
    const limited = errorType === 'rate_limited'
    const of = { tool, user }
    const outcome = errorType === undefined ? 'ok' : limited ? 'limited' : `error:${errorType}`
    this.#count(of, byPage ? 'page' : outcome)
    if (!limited && !byPage) this.#count(of, `bucket:${bucketOf(ms)}`)
    this.#timer ??= setTimeout(() => this.flush().catch(() => {}), FLUSH_AFTER_MS).unref()
  }

  /** A call is past its maximum and still runs. */
  recordOverrun(tool: string, user: string): void {
    this.#count({ tool, user }, 'overrun')
  }

  /** Statistics must never cost a call: where the store fails, the counts stay for the next try. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write())
    return this.#flushing
  }

  /** A member's own counts; the whole for an operator. */
  seenBy({ user, role }: Pick<Caller, 'user' | 'role'>) {
    const whose = role === 'operator' ? {} : { user }
    return {
      stats: (sinceHour = '', replica?: string) => this.stats(sinceHour, { ...whose, replica }),
      hours: (sinceHour = '') => this.hours(sinceHour, whose),
      replicas: () => this.#replicas(whose),
    }
  }

  /** How often each user has called each tool. */
  async calls(sinceHour: string): Promise<{ user: string; tool: string; calls: number }[]> {
    await this.flush()
    const counts = new Map<string, { user: string; tool: string; calls: number }>()
    for (const { user, tool, key, count } of await this.#store.since(sinceHour)) {
      if (key.startsWith('bucket:') || key === 'overrun') continue
      const id = JSON.stringify([user, tool])
      counts.set(id, { user, tool, calls: (counts.get(id)?.calls ?? 0) + count })
    }
    return [...counts.values()]
  }

  async stats(sinceHour = '', whose: Whose = {}): Promise<ToolStats[]> {
    await this.flush()
    const byTool = groupByTool(await this.#store.since(sinceHour, whose))
    return [...byTool]
      .map(([tool, tallies]) => summarise(tool, tallies))
      .sort((a, b) => b.calls - a.calls)
  }

  /** Calls and failures of each tool by the hour, oldest first. */
  async hours(sinceHour = '', whose: Whose = {}): Promise<HourStats[]> {
    await this.flush()
    const groups = new Map<string, Tally[]>()
    for (const tally of await this.#store.since(sinceHour, whose)) {
      const key = `${tally.hour} ${tally.tool}`
      groups.set(key, [...(groups.get(key) ?? []), tally])
    }
    return [...groups]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, tallies]) => {
        const [hour = '', tool = ''] = key.split(' ')
        const { calls, successRate, p50Ms, p95Ms, p99Ms, rateLimitHits } = summarise(tool, tallies)
        return {
          hour,
          tool,
          calls,
          failed: Math.round(calls * (1 - successRate)),
          p50Ms,
          p95Ms,
          p99Ms,
          rateLimitHits,
        }
      })
      .filter(({ calls }) => calls > 0)
  }

  /** The servers that have counted anything. */
  async #replicas(whose: Whose): Promise<string[]> {
    const tallies = await this.#store.since('', whose)
    return [...new Set(tallies.map(({ replica = '' }) => replica))].sort()
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return
    const taken = this.#pending
    this.#pending = new Map()
    try {
      await this.#store.add([...taken].map(([id, count]) => ({ ...parseId(id), count })))
    } catch (error) {
      for (const [id, count] of taken) this.#pending.set(id, (this.#pending.get(id) ?? 0) + count)
      throw error
    }
  }

  #hour(): string {
    const now = this.#now()
    const number = Math.floor(now.getTime() / HOUR_MS)
    if (this.#lastHour.number !== number) this.#lastHour = { number, text: hourOf(now) }
    return this.#lastHour.text
  }

  #count({ tool, user }: Pick<Tally, 'tool' | 'user'>, key: string): void {
    const id = `${tool}\0${user}\0${this.#hour()}\0${key}`
    this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1)
  }
}

/** The hour that was so many days ago, as counts name it. */
export function hourBefore(days: number): string {
  return hourOf(new Date(Date.now() - days * 86_400_000))
}

function hourOf(time: Date): string {
  return time.toISOString().slice(0, 13)
}

function parseId(id: string): Omit<Tally, 'count'> {
  const [tool = '', user = '', hour = '', key = ''] = id.split('\0')
  return { tool, user, hour, key }
}

function groupByTool(tallies: readonly Tally[]): Map<string, Tally[]> {
  const groups = new Map<string, Tally[]>()
  for (const tally of tallies) {
    const group = groups.get(tally.tool)
    if (group) group.push(tally)
    else groups.set(tally.tool, [tally])
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

export function bucketOf(ms: number): number {
  return Math.max(0, Math.round(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / GROWTH))
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
