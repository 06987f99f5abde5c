import { Failure } from '@secretary-mcp/core/failure.ts'
import { noCounts, type Received, type RoundParts, type Row, type RowCarrier } from './carriers.ts'
import type { HybridClock } from './hybrid-clock.ts'
import type { Opened } from './seal.ts'
import {
  bySequence,
  type Fields,
  NOT_BEGUN,
  type Position,
  type RowType,
  type SegmentName,
  type SyncRecord,
  segmentPath,
  type Value,
} from './segment.ts'
import type { KnownRecord } from './store/sqlite-sync-state.ts'

/** Somebody may edit the row at the same moment; nobody does it over and over. */
const MAX_TRIES = 10

/** Reads what the other machines have said since the last round, each from where it was left. */
export async function receive(parts: RoundParts, names: readonly SegmentName[]): Promise<Received> {
  const received: Received = { ...noCounts(), skipped: 0, incomplete: [], problems: [] }
  const positions = await parts.state.positions()
  const machines = new Set(names.map(({ machine }) => machine))
  const own = (await parts.state.ofType('dialog')).filter(({ isOwn }) => isOwn)
  const ownGroups = new Set(own.map(({ group = '' }) => group))
  for (const machine of [...positions.keys()].filter((known) => !machines.has(known))) {
    received.problems.push(`The log of ${machine} is gone; what came from it stays`)
    // Said once; should it return, it is read from its beginning, which changes nothing.
    await parts.state.dropPosition(machine)
  }
  let checked: Promise<void> | undefined
  const requireKey = () => {
    checked ??= requireRightKey(parts, names)
    return checked
  }
  for (const machine of [...machines].sort()) {
    if (machine === parts.machine) continue
    const log = names.filter((name) => name.machine === machine).sort(bySequence)
    const known = positions.get(machine) ?? NOT_BEGUN
    await readLog({ ...parts, ownGroups, requireKey }, log, known, received)
  }
  return received
}

/** A file with another key is one that somebody planted, unless no log here can be opened: then this machine has the wrong key. */
export async function requireRightKey(
  { transport, sealer }: Pick<RoundParts, 'transport' | 'sealer'>,
  names: readonly SegmentName[],
): Promise<void> {
  let wrongKey: Failure | undefined
  for (const name of names.filter(({ sequence }) => sequence === 1)) {
    try {
      const bytes = await transport.read(name)
      if (bytes && sealer.open(name, '', bytes) !== 'torn') return
    } catch (error) {
      if (!isBadSegment(error)) throw error
      if (error.errorType === 'wrong_key') wrongKey ??= error
    }
  }
  if (wrongKey) throw wrongKey
}

function isBadSegment(error: unknown): error is Failure {
  return error instanceof Failure && ['sync_damaged', 'wrong_key'].includes(error.errorType)
}

interface ReadingParts extends RoundParts {
  /** Of dialogs that this machine's log speaks of. */
  readonly ownGroups: ReadonlySet<string>
  /** Fails if nothing that is there opens with this machine's key. */
  requireKey(): Promise<void>
}

/** The newest generation that can be opened: one that somebody planted must not hide the one that the machine wrote. */
async function readLog(
  parts: ReadingParts,
  names: readonly SegmentName[],
  known: Position,
  received: Received,
): Promise<void> {
  const last = names.at(-1)
  if (!last) return
  const { machine } = last
  if (bySequence(last, { ...known, machine }) < 0) {
    received.problems.push(
      `${segmentPath(last)} was the last but is no longer followed by what was read: something was removed`,
    )
    return
  }
  const generations = [...new Set(names.map(({ generation }) => generation))]
  let isIncomplete = false
  for (const generation of generations.filter((one) => one >= known.generation).reverse()) {
    const begin = generation > known.generation ? { generation, sequence: 0, chain: '' } : known
    const log = names.filter((name) => name.generation === generation)
    const outcome = await readGeneration(parts, log, begin, received)
    isIncomplete ||= outcome.end === 'incomplete'
    if (outcome.end === 'read' || outcome.isBegun) break
  }
  if (isIncomplete) received.incomplete.push(machine)
}

async function readGeneration(
  parts: ReadingParts,
  names: readonly SegmentName[],
  begin: Position,
  received: Received,
): Promise<{ end: 'read' | 'incomplete' | 'damaged'; isBegun: boolean }> {
  const last = names.at(-1)
  if (!last) return { end: 'read', isBegun: false }
  const { machine, generation } = last
  let position = begin
  while (position.sequence < last.sequence) {
    const name = { machine, generation, sequence: position.sequence + 1 }
    const opened = await openSegment(parts, name, position, received)
    if (opened === 'torn') return { end: 'incomplete', isBegun: position.sequence > 0 }
    if (opened === 'damaged') return { end: 'damaged', isBegun: position.sequence > 0 }
    for (const record of opened.records) await apply(parts, record, received)
    position = { generation, sequence: name.sequence, chain: opened.chain }
    await parts.state.savePosition(machine, position)
  }
  return { end: 'read', isBegun: true }
}

async function openSegment(
  { transport, sealer, requireKey }: ReadingParts,
  name: SegmentName,
  { chain }: Position,
  received: Received,
): Promise<Opened | 'torn' | 'damaged'> {
  try {
    const bytes = await transport.read(name)
    return bytes ? sealer.open(name, chain, bytes) : 'torn'
  } catch (error) {
    if (!isBadSegment(error)) throw error
    if (error.errorType === 'wrong_key') await requireKey()
    received.problems.push(
      error.errorType === 'wrong_key'
        ? `${segmentPath(name)} was left out: it was written with another key`
        : error.message,
    )
    return 'damaged'
  }
}

async function apply(parts: ReadingParts, record: SyncRecord, received: Received): Promise<void> {
  parts.clock.observe(record.version)
  if (record.type === 'dialog') return applyDialog(parts, record, received)
  if (record.type === 'forget') return applyForget(parts, record, received)
  const carrier = parts.rows.find(({ type }) => type === record.type)
  if (!carrier) return
  for (const [, version] of Object.values(record.fields)) parts.clock.observe(version)
  const applied = await applyRow(carrier, record, parts)
  if (applied === 'deleted') received.forgotten++
  if (applied === 'changed') received[record.type === 'task' ? 'tasks' : 'discoveries']++
}

async function applyDialog(
  { state, dialogs }: RoundParts,
  record: Extract<SyncRecord, { readonly type: 'dialog' }>,
  received: Received,
): Promise<void> {
  const { type, id, version, group, body } = record
  const known = await state.find(type, id)
  if (known && (known.isOwn || known.version >= version)) return
  const isDeleted = body === undefined
  if (isDeleted) {
    if (await dialogs.drop(id)) received.forgotten++
  } else if (await dialogs.take(id, body)) received.dialogs++
  else received.skipped++
  await state.save([{ type, id, version, group, isDeleted, isOwn: false, sentIn: 0, size: 0 }])
}

async function applyForget(
  { state, dialogs, ownGroups }: ReadingParts,
  { type, id, version }: Extract<SyncRecord, { readonly type: 'forget' }>,
  received: Received,
): Promise<void> {
  if (await state.find(type, id)) return
  if (await dialogs.forget(id)) received.forgotten++
  // Said again by whoever spoke of it: the log that it came from may be gone one day.
  const isOwn = ownGroups.has(id)
  await state.save([{ type, id, version, isOwn, sentIn: 0, size: id.length }])
}

type RowRecord = Extract<SyncRecord, { readonly type: RowType }>

type Applied = 'changed' | 'deleted' | 'same'

/** The newest word on each field stands in the end, whichever machine said it; what was deleted stays deleted. */
async function applyRow(
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
  for (let tries = 0; tries < MAX_TRIES; tries++) {
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

function observed(
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

function deletedRecord(record: KnownRecord, version: string): KnownRecord {
  const { type, id, isOwn } = record
  return { type, id, isOwn, version, fields: {}, isDeleted: true, sentIn: 0, size: 0 }
}

/** The newer word on each field; the same whichever side comes first, and however often. */
function mergeFields(one: Fields, other: Fields): Fields {
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

function valuesOf(fields: Fields): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, value]))
}

/** The latest of them all. */
function versionOf(fields: Fields): string {
  return Object.values(fields).reduce(
    (latest, [, version]) => (version > latest ? version : latest),
    '',
  )
}
