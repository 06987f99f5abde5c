import type { Row, RowCarrier } from './carriers.ts'
import type { HybridClock } from './hybrid-clock.ts'
import type { RoundParts } from './round-parts.ts'
import type { Fields, Value } from './segment.ts'
import type { KnownRecord } from './store/sqlite-sync-state.ts'

/** Gives a version to everything that the person changed here since the last round. */
export async function observeRows(
  carrier: RowCarrier,
  { state, clock }: Pick<RoundParts, 'state' | 'clock'>,
): Promise<KnownRecord[]> {
  const known = (await state.ofType(carrier.type)).filter(({ isDeleted }) => !isDeleted)
  const byLocal = new Map(known.map((record) => [record.local, record]))
  const byId = new Map(known.map((record) => [record.id, record]))
  const rows = await carrier.rows()
  const changed: KnownRecord[] = []
  for (const row of rows) {
    const before = byLocal.get(row.local) ?? byId.get(row.id)
    const record = observed(carrier, before, row, clock)
    if (record !== before) changed.push(record)
  }
  const present = new Set(rows.map(({ local }) => local))
  for (const record of carrier.remove ? known : []) {
    const { local } = record
    if (local === undefined || present.has(local)) continue
    changed.push({ ...deletedRecord(record, clock.next()), isOwn: true })
  }
  return changed
}

export function observed(
  { type, fixed }: Pick<RowCarrier, 'type' | 'fixed'>,
  before: KnownRecord | undefined,
  { id, local, values, editedMs }: Row,
  clock: HybridClock,
): KnownRecord {
  const said = before?.fields ?? {}
  const open = Object.entries(values).filter(([name]) => !(fixed.includes(name) && name in said))
  const version = before ? () => clock.next() : () => clock.at(editedMs)
  const fields = changedFields(said, Object.fromEntries(open), version)
  if (before && fields === said) return before.local === local ? before : { ...before, local }
  const size = JSON.stringify(fields).length
  const record = { type, id: before?.id ?? id, version: versionOf(fields), fields, local, size }
  return { ...record, isOwn: true, sentIn: 0 }
}

export function deletedRecord(record: KnownRecord, version: string): KnownRecord {
  const { type, id, isOwn } = record
  return { type, id, isOwn, version, fields: {}, isDeleted: true, sentIn: 0, size: 0 }
}

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
function changedFields(
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
