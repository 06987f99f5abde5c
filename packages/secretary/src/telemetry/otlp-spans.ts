import { nanoseconds, otlpAttributes } from './otlp-values.ts'
import type { EndedSpan } from './spans.ts'

const KINDS = { server: 2, client: 3 } as const
const ERROR = 2

export function otlpSpan(span: EndedSpan) {
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
