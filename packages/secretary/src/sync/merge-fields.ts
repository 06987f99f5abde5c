import type { Fields, Value } from './record.ts'

/** The newer word on each field; the same whichever side comes first, and however often. */
export function mergeFields(one: Fields, other: Fields): Fields {
  const merged: Record<string, readonly [Value, string]> = { ...one }
  for (const [name, said] of Object.entries(other)) {
    const known = merged[name]
    if (!known || said[1] > known[1]) merged[name] = said
  }
  return merged
}

/** What is known, with a new version for what is no longer as it was; the same object where nothing changed. */
export function changedFields(
  known: Fields,
  now: Readonly<Record<string, Value>>,
  version: () => string,
): Fields {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(known[name]?.[0]) !== JSON.stringify(value),
  )
  if (changed.length === 0) return known
  const stamp = version()
  const fresh = changed.map(([name, value]) => [name, [value, stamp]] as const)
  return { ...known, ...Object.fromEntries(fresh) }
}

export function valuesOf(fields: Fields): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, value]))
}

/** The latest of them all. */
export function versionOf(fields: Fields): string {
  return Object.values(fields).reduce(
    (latest, [, version]) => (version > latest ? version : latest),
    '',
  )
}
