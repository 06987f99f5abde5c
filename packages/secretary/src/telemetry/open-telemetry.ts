import type { Log } from '@secretary-mcp/core/log.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import { within } from '@secretary-mcp/core/within.ts'
import { Durations } from './durations.ts'
import { otlpSpan } from './otlp-spans.ts'
import { otlpAttributes } from './otlp-values.ts'
import { createSpans, type EndedSpan } from './spans.ts'

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
const MOST_WAITING = 4_096

/** Sends spans and durations to an OpenTelemetry collector as OTLP over HTTP, in JSON. A call never waits for it. */
export function openTelemetry(settings: TelemetrySettings, log: Log): Telemetry {
  const durations = new Durations()
  const waiting: EndedSpan[] = []
  let sending: Promise<void> = Promise.resolve()
  let isFailing = false
  const spans = createSpans((span) => {
    durations.add(span)
    if (span.isSampled && waiting.length < MOST_WAITING) waiting.push(span)
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
