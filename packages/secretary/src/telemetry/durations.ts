import type { Attributes, Measure } from '@secretary-mcp/core/tracing.ts'
import { nanoseconds, otlpAttributes } from './otlp-values.ts'
import type { EndedSpan } from './spans.ts'

/** Of each span only these: a series for each statement or session would never end. */
const KEPT: Readonly<Record<Measure, readonly string[]>> = {
  'http.server.request.duration': [
    'http.request.method',
    'http.route',
    'http.response.status_code',
    'error.type',
  ],
  'mcp.server.operation.duration': ['mcp.method.name', 'gen_ai.tool.name', 'error.type'],
  'db.client.operation.duration': ['db.system.name', 'db.operation.name'],
}
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const CUMULATIVE = 2

interface Series {
  readonly attributes: Attributes
  readonly buckets: number[]
  sum: number
}

/** Histograms in seconds, counted since the server started. */
export class Durations {
  readonly #since = Date.now()
  readonly #series = new Map<Measure, Map<string, Series>>()

  add({ measure, attributes, startMs, endMs }: EndedSpan): void {
    const kept = Object.fromEntries(KEPT[measure].map((key) => [key, attributes[key]]))
    const key = JSON.stringify(kept)
    const all = this.#series.get(measure) ?? new Map<string, Series>()
    this.#series.set(measure, all)
    const series = all.get(key) ?? {
      attributes: kept,
      buckets: Array<number>(BOUNDS.length + 1).fill(0),
      sum: 0,
    }
    all.set(key, series)
    const seconds = Math.max(0, endMs - startMs) / 1_000
    const at = BOUNDS.findIndex((bound) => seconds <= bound)
    const bucket = at === -1 ? BOUNDS.length : at
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
    series.sum += seconds
  }

  toOtlp() {
    return [...this.#series].map(([name, series]) => ({
      name,
      unit: 's',
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: [...series.values()].map(({ attributes, buckets, sum }) => ({
          attributes: otlpAttributes(attributes),
          startTimeUnixNano: nanoseconds(this.#since),
          timeUnixNano: nanoseconds(Date.now()),
          count: String(buckets.reduce((all, one) => all + one, 0)),
          sum,
          bucketCounts: buckets.map(String),
          explicitBounds: BOUNDS,
        })),
      },
    }))
  }
}
