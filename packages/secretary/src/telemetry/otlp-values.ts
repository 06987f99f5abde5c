import type { Attributes } from '@secretary-mcp/core/tracing.ts'

/** 64-bit numbers are texts in OTLP's JSON. */
export function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

export function otlpAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
