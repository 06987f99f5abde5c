import type { RowCarrier } from './carriers.ts'
import { mergeFields, valuesOf, versionOf } from './merge-fields.ts'
import { deletedRecord, observed } from './observe-rows.ts'
import type { RowType, SyncRecord } from './record.ts'
import type { RoundParts } from './round-parts.ts'
import type { KnownRecord } from './sync-state.ts'

type RowRecord = Extract<SyncRecord, { readonly type: RowType }>
export type Applied = 'changed' | 'deleted' | 'same'

/** Somebody may edit the row at the same moment; nobody does it over and over. */
const MOST_TRIES = 10

/** The newest word on each field stands in the end, whichever machine said it; what was deleted stays deleted. */
export async function applyRow(
  carrier: RowCarrier,
  record: RowRecord,
  parts: Pick<RoundParts, 'state' | 'clock'>,
): Promise<Applied> {
  const { state } = parts
  const known = await state.find(record.type, record.id)
  if (known?.isDeleted) return 'same'
  if (record.deleted) {
    const { local } = known ?? {}
    if (local !== undefined) await carrier.remove?.(local)
    // Said again by whoever spoke of it: the log that it came from may be gone one day.
    await state.save([deletedRecord(known ?? unsaid(record), record.version)])
    return known ? 'deleted' : 'same'
  }
  if (known?.local !== undefined) return change(carrier, record, known, parts)
  const fields = mergeFields(known?.fields ?? {}, record.fields)
  const before = { ...(known ?? unsaid(record)), fields, version: versionOf(fields) }
  const local = await carrier.add(record.id, valuesOf(fields))
  await state.save([{ ...before, local }])
  return local === undefined ? 'same' : 'changed'
}

async function change(
  carrier: RowCarrier,
  record: RowRecord,
  known: KnownRecord,
  { state, clock }: Pick<RoundParts, 'state' | 'clock'>,
): Promise<Applied> {
  let now = known
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const row = await carrier.find(now.local ?? '')
    // Deleted a moment ago: the next round says so.
    if (!row) return 'same'
    now = observed(carrier, now, row, clock)
    const fields = mergeFields(now.fields ?? {}, record.fields)
    const merged = { ...now, fields, version: versionOf(fields) }
    const isSame = JSON.stringify(valuesOf(fields)) === JSON.stringify(valuesOf(now.fields ?? {}))
    if (!isSame && !(await carrier.change(row, valuesOf(fields)))) continue
    await state.save([merged])
    return isSame ? 'same' : 'changed'
  }
  return 'same'
}

function unsaid({ type, id, version, fields }: RowRecord): KnownRecord {
  const size = JSON.stringify(fields).length
  return { type, id, version, fields, isOwn: false, sentIn: 0, size }
}
