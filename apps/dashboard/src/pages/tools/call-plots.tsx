import { useMemo } from 'preact/hooks'
import { Empty } from '../../parts/states.tsx'
import { type Line, Plot } from './plot.tsx'
import type { HourStats } from './tool-types.ts'

interface CallPlotsProps {
  readonly hours: readonly HourStats[]
  readonly sinceDays: number
  /** Percentiles of one tool are meaningful as they are; over all tools the slowest hour of any is drawn. */
  readonly ofOneTool?: boolean
}

const HOUR = 3_600

export function CallPlots({ hours, sinceDays, ofOneTool = false }: CallPlotsProps) {
  const { times, calls, failed, limited, p50, p95, p99 } = useMemo(
    () => series(hours, sinceDays),
    [hours, sinceDays],
  )
  if (hours.length === 0) {
    return (
      <Empty title="No calls in this period">
        <p>
          Try a tool below, or connect an agent with <code>secretary init</code>; its calls appear
          here as they happen.
        </p>
      </Empty>
    )
  }
  const traffic: readonly Line[] = [
    { label: 'Calls', values: calls, tone: 'accent', bars: true },
    { label: 'Failed', values: failed, tone: 'bad', bars: true },
    { label: 'Rate limited', values: limited, tone: 'warn', bars: true },
  ]
  const speed: readonly Line[] = [
    { label: 'p50', values: p50, tone: 'accent' },
    { label: 'p95', values: p95, tone: 'ink' },
    { label: 'p99', values: p99, tone: 'warn' },
  ]
  return (
    <div class="plots">
      <Plot title="Calls per hour" times={times} lines={traffic} unit="" />
      <Plot
        title={ofOneTool ? 'Latency' : 'Latency of the slowest tool in each hour'}
        times={times}
        lines={speed}
        unit=" ms"
      />
    </div>
  )
}

type Values = (number | null)[]

function series(hours: readonly HourStats[], sinceDays: number) {
  const end = Math.floor(Date.now() / 1_000 / HOUR) * HOUR
  const byHour = new Map<number, HourStats[]>()
  for (const one of hours) {
    const at = Date.parse(`${one.hour}:00:00Z`) / 1_000
    byHour.set(at, [...(byHour.get(at) ?? []), one])
  }
  const times: number[] = []
  for (let at = end - sinceDays * 24 * HOUR; at <= end; at += HOUR) times.push(at)
  const sum = (pick: (one: HourStats) => number): Values =>
    // Nothing is drawn where nothing happened: a bar of no height is still a line.
    times.map((at) => (byHour.get(at) ?? []).reduce((total, one) => total + pick(one), 0) || null)
  const slowest = (pick: (one: HourStats) => number | undefined): Values =>
    times.map((at) => {
      const known = (byHour.get(at) ?? []).flatMap((one) => pick(one) ?? [])
      return known.length > 0 ? Math.max(...known) : null
    })
  return {
    times,
    calls: sum(({ calls }) => calls),
    // Drawn over the calls: an hour with a failure shows it at the foot of its bar.
    failed: sum(({ failed, rateLimitHits }) => failed - rateLimitHits),
    limited: sum(({ rateLimitHits }) => rateLimitHits),
    p50: slowest(({ p50Ms }) => p50Ms),
    p95: slowest(({ p95Ms }) => p95Ms),
    p99: slowest(({ p99Ms }) => p99Ms),
  }
}
