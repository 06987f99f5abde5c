import type { Row, RowCarrier } from './carriers.ts'
import { changedFields, valuesOf, versionOf } from './merge-fields.ts'
import type { RoundParts } from './round-parts.ts'
import type { KnownRecord } from './sync-state.ts'

/** The name of a row that was about to be added: a round that was killed then may have added it. */
export const PENDING = '?'

/** Gives a version to everything that the person changed here since the last round. */
export async function observeRows(
  carrier: RowCarrier,
  { state, clock }: Pick<RoundParts, 'state' | 'clock'>,
): Promise<KnownRecord[]> {
  const known = (await state.ofType(carrier.type)).filter(({ isDeleted }) => !isDeleted)
  const byLocal = new Map(known.map((record) => [record.local, record]))
  const byId = new Map(known.map((record) => [record.id, record]))
  const pending = new Set(known.filter(({ local }) => local === PENDING))
  const rows = await carrier.rows()
  const changed: KnownRecord[] = []
  for (const row of rows) {
    const before = byLocal.get(row.local) ?? byId.get(row.id) ?? takeSame(pending, row)
    const record = observed(carrier, before, row, () => clock.next())
    if (record !== before) changed.push(record)
  }
  const present = new Set(rows.map(({ local }) => local))
  for (const record of carrier.remove ? known : []) {
    const { local } = record
    if (local === undefined || local === PENDING || present.has(local)) continue
    changed.push({ ...deletedRecord(record, clock.next()), isOwn: true })
  }
  return changed
}

export function observed(
  { type }: Pick<RowCarrier, 'type'>,
  before: KnownRecord | undefined,
  { id, local, values }: Row,
  version: () => string,
): KnownRecord {
  const fields = changedFields(before?.fields ?? {}, values, version)
  if (before && fields === before.fields)
    return before.local === local ? before : { ...before, local }
  const size = JSON.stringify(fields).length
  const record = { type, id: before?.id ?? id, version: versionOf(fields), fields, local, size }
  return { ...record, isOwn: true, sentIn: 0 }
}

export function deletedRecord(record: KnownRecord, version: string): KnownRecord {
  const { type, id, isOwn } = record
  return { type, id, isOwn, version, fields: {}, isDeleted: true, sentIn: 0, size: 0 }
}

function takeSame(pending: Set<KnownRecord>, { values }: Row): KnownRecord | undefined {
  const text = JSON.stringify(values)
  for (const record of pending) {
    const said = valuesOf(record.fields ?? {})
    const same = Object.fromEntries(Object.keys(values).map((name) => [name, said[name]]))
    if (JSON.stringify(same) !== text) continue
    pending.delete(record)
    return record
  }
  return undefined
}
