import { bucketOf, percentile } from './histogram.ts'
import type { HourStats, ToolStats } from './tool-stats.ts'

/** One counter: how often `key` was seen for a tool within an hour. Keys: `ok`, `error:<kind>`, `limited`, `bucket:<n>`. */
export interface Tally {
  readonly tool: string
  readonly hour: string
  readonly key: string
  readonly count: number
}

/** Where counts live across restarts and processes. */
export interface MetricsStore {
  add(tallies: readonly Tally[]): Promise<void>
  since(hour: string): Promise<Tally[]>
}

export interface CallRecord {
  readonly tool: string
  readonly ms: number
  readonly errorType?: string
}

const FLUSH_AFTER_MS = 2_000

/** Counts in memory, added to the store a moment later, so that a call never waits for its own statistics. */
export class Metrics {
  #pending = new Map<string, number>()
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()
  readonly #store: MetricsStore
  readonly #now: () => Date

  constructor(store: MetricsStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  record({ tool, ms, errorType }: CallRecord): void {
    const limited = errorType === 'rate_limited'
    this.#count(tool, errorType === undefined ? 'ok' : limited ? 'limited' : `error:${errorType}`)
    if (!limited) this.#count(tool, `bucket:${bucketOf(ms)}`)
    this.#timer ??= setTimeout(() => this.flush().catch(() => {}), FLUSH_AFTER_MS).unref()
  }

  /** Statistics must never cost a call: where the store fails, the counts stay for the next try. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#write())
    return this.#flushing
  }

  async stats(sinceHour = ''): Promise<ToolStats[]> {
    await this.flush()
    const byTool = groupByTool(await this.#store.since(sinceHour))
    return [...byTool]
      .map(([tool, tallies]) => summarise(tool, tallies))
      .sort((a, b) => b.calls - a.calls)
  }

  /** Calls and failures of each tool by the hour, oldest first. */
  async hours(sinceHour = ''): Promise<HourStats[]> {
    await this.flush()
    const groups = new Map<string, Tally[]>()
    for (const tally of await this.#store.since(sinceHour)) {
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

  #count(tool: string, key: string): void {
    const id = `${tool} ${this.#now().toISOString().slice(0, 13)} ${key}`
    this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1)
  }
}

function parseId(id: string): Omit<Tally, 'count'> {
  const [tool = '', hour = '', ...key] = id.split(' ')
  return { tool, hour, key: key.join(' ') }
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

export function summarise(tool: string, tallies: readonly Tally[]): ToolStats {
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
  }
}
