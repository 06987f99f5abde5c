import { Failure } from '../core/failure.ts'
import { applyRow } from './apply-row.ts'
import type { SyncRecord } from './record.ts'
import { noCounts, type Received, type RoundParts } from './round-parts.ts'
import { bySequence, NOT_BEGUN, type Position, type SegmentName, segmentPath } from './segment.ts'

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
  for (const machine of [...machines].sort()) {
    if (machine === parts.machine) continue
    const log = names.filter((name) => name.machine === machine).sort(bySequence)
    try {
      await readLog({ ...parts, ownGroups }, log, positions.get(machine) ?? NOT_BEGUN, received)
    } catch (error) {
      if (!(error instanceof Failure) || error.errorType !== 'sync_damaged') throw error
      received.problems.push(error.message)
    }
  }
  return received
}

interface ReadingParts extends RoundParts {
  /** Of dialogs that this machine's log speaks of. */
  readonly ownGroups: ReadonlySet<string>
}

async function readLog(
  parts: ReadingParts,
  names: readonly SegmentName[],
  known: Position,
  received: Received,
): Promise<void> {
  const last = names.at(-1)
  if (!last) return
  const { machine, generation } = last
  const isShorter = bySequence(last, { ...known, machine }) < 0
  if (isShorter)
    throw new Failure(
      'sync_damaged',
      `${segmentPath(last)} was the last but is no longer followed by what was read: something was removed`,
    )
  let position: Position =
    generation > known.generation ? { generation, sequence: 0, chain: '' } : known
  while (position.sequence < last.sequence) {
    const name = { machine, generation, sequence: position.sequence + 1 }
    const bytes = await parts.transport.read(name)
    const opened = bytes ? parts.sealer.open(name, position.chain, bytes) : 'torn'
    if (opened === 'torn') {
      received.incomplete.push(machine)
      return
    }
    for (const record of opened.records) await apply(parts, record, received)
    position = { generation, sequence: name.sequence, chain: opened.chain }
    await parts.state.savePosition(machine, position)
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
