/** Looking into JSON that others wrote: nothing about its shape is certain. */
export type JsonObject = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Milliseconds since 1970 from a number or an ISO date. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value
  return typeof ms === 'number' && Number.isFinite(ms) && ms > 0 ? Math.round(ms) : undefined
}

export function parsed(bytes: Buffer): unknown {
  return JSON.parse(withoutMark(bytes.toString('utf8')))
}

/** A byte order mark is no part of a text. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** The object that a text holds; an empty one where it holds none. */
export function objectIn(text: unknown): JsonObject {
  try {
    return objectOf(JSON.parse(String(text)))
  } catch {
    return {}
  }
}

export function parsedOr(bytes: Buffer): unknown {
  try {
    return parsed(bytes)
  } catch {
    return undefined
  }
}
