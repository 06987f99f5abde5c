import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Attributes, Measure, Tracing, Work } from '@secretary-mcp/core/tracing.ts'
import { within } from '@secretary-mcp/core/within-time.ts'

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

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

const KINDS = { server: 2, client: 3 } as const
const ERROR = 2

export interface TelemetrySettings {
  readonly endpoint: string
  /** `name=value` pairs, separated by commas. */
  readonly headers?: string
  readonly service: string
  readonly replica: string
  readonly version: string
}

export interface Telemetry extends Tracing {
  close(): Promise<void>
}

const EVERY_MS = 5_000
const ANSWER_MS = 10_000
const CLOSE_MS = 3_000
/** Beyond these the newest are dropped: whoever collects them is away, and calls must not pay for that. */
const MAX_WAITING = 4_096

/** Sends spans and durations to an OpenTelemetry collector as OTLP over HTTP, in JSON. A call never waits for it. */
export function openTelemetry(settings: TelemetrySettings, log: Log): Telemetry {
  const durations = new Durations()
  const waiting: EndedSpan[] = []
  let sending: Promise<void> = Promise.resolve()
  let isFailing = false
  const spans = createSpans((span) => {
    durations.add(span)
    if (span.isSampled && waiting.length < MAX_WAITING) waiting.push(span)
  })

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${settings.endpoint.replace(/\/$/, '')}${path}`, {
      method: 'POST',
      headers: { ...headersOf(settings.headers), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A key goes only to the host that it was given for.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  }
  const resource = {
    attributes: otlpAttributes({
      'service.name': settings.service,
      'service.version': settings.version,
      'service.instance.id': settings.replica,
    }),
  }
  const scope = { name: 'secretary', version: settings.version }
  const send = async () => {
    const batch = waiting.splice(0)
    try {
      if (batch.length > 0)
        await post('/v1/traces', {
          resourceSpans: [{ resource, scopeSpans: [{ scope, spans: batch.map(otlpSpan) }] }],
        })
      const metrics = durations.toOtlp()
      if (metrics.length > 0)
        await post('/v1/metrics', {
          resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }],
        })
      isFailing = false
    } catch (error) {
      // Once, until it works again: a collector that is away for a night would fill the log.
      if (!isFailing) log.warn({ err: error }, 'telemetry cannot be sent')
      isFailing = true
    }
  }
  const flush = () => {
    sending = sending.then(send)
    return sending
  }
  const timer = setInterval(flush, EVERY_MS).unref()

  return {
    ...spans,
    async close() {
      clearInterval(timer)
      await within(CLOSE_MS, flush())
    },
  }
}

function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) return []
    return [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function otlpSpan(span: EndedSpan) {
  const { traceId, spanId, parentId, name, measure, attributes, startMs, endMs } = span
  return {
    traceId,
    spanId,
    ...(parentId ? { parentSpanId: parentId } : {}),
    name,
    kind: measure.startsWith('db.client') ? KINDS.client : KINDS.server,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: otlpAttributes(attributes),
    ...(attributes['error.type'] === undefined ? {} : { status: { code: ERROR } }),
  }
}

interface Series {
  readonly attributes: Attributes
  readonly buckets: number[]
  sum: number
}

/** Histograms in seconds, counted since the server started. */
class Durations {
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

interface Place {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

interface EndedSpan extends Place {
  readonly parentId?: string
  readonly name: string
  readonly measure: Measure
  readonly attributes: Attributes
  /** In milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly endMs: number
}

/** Knows which span the running code is in, whatever it waits for. */
function createSpans(onEnd: (span: EndedSpan) => void): Tracing {
  const running = new AsyncLocalStorage<Place>()
  const begin = ({ parent }: Work, isSampledAlone: boolean) => {
    const above = placeOf(parent) ?? running.getStore()
    const place: Place = {
      traceId: above?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      isSampled: above?.isSampled ?? isSampledAlone,
    }
    return { place, parentId: above?.spanId }
  }
  const end = (
    { place, parentId }: ReturnType<typeof begin>,
    { name, measure, attributes }: Work,
    [startMs, endMs]: readonly [number, number],
  ) => onEnd({ ...place, parentId, name, measure, attributes, startMs, endMs })

  return {
    async during(work, run) {
      const begun = begin(work, true)
      const startMs = now()
      let attributes = work.attributes
      const set = (more: Attributes) => {
        attributes = { ...attributes, ...more }
      }
      try {
        return await running.run(begun.place, () => run({ set }))
      } catch (error) {
        set({ 'error.type': error instanceof Error ? error.name : 'unknown' })
        throw error
      } finally {
        end(begun, { ...work, attributes }, [startMs, now()])
      }
    },
    after(work, ms) {
      const endMs = now()
      // What the server does for itself is counted, and no trace of anybody's.
      end(begin(work, false), work, [endMs - ms, endMs])
    },
  }
}

function placeOf(traceparent: string | undefined): Place | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

/** 64-bit numbers are texts in OTLP's JSON. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

function otlpAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
