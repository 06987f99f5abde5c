import { Failure } from '@secretary-mcp/core/failure.ts'
import {
  type Counts,
  type DialogCarrier,
  noCounts,
  type Received,
  type RoundParts,
  type RowCarrier,
} from './carriers.ts'
import { HybridClock } from './hybrid-clock.ts'
import { observeRows, receive } from './receive.ts'
import { chainOf, type Sealer } from './seal.ts'
import {
  bySequence,
  type SegmentName,
  type SyncRecord,
  segmentPath,
  type Transport,
} from './segment.ts'
import type { KnownRecord, OwnLog, SyncState } from './store/sqlite-sync-state.ts'
import { anotherDatabase, underWay, unreadableOwnLog } from './sync-failures.ts'

/** So many characters go into one segment, or one record that is larger. */
const SEGMENT_CHARACTERS = 4 << 20
/** Below this a log is never rewritten only because it repeats itself. */
const SMALL_LOG = 32 << 20
const MAX_REPEATED = 3

export interface Given {
  readonly machine: string
  readonly transport: Transport
  readonly sealer: Sealer
  readonly state: SyncState
  readonly dialogs: DialogCarrier
  readonly rows: readonly RowCarrier[]
  /** Of the database that the rows are in. */
  readonly databaseId?: string
  /** For tests of a clock that was set back. */
  readonly now?: () => number
}

export interface Round {
  readonly sent: Counts
  readonly received: Received
}

/**
 * First what the person changed here gets its version, then the others are heard, then all that they lack is sent. Killed at any
 * point, the next round goes on from there.
 */
export async function syncRound(given: Given): Promise<Round> {
  const { state, transport } = given
  const lock = await state.lock()
  if (!lock) throw underWay()
  try {
    const parts = await partsOf(given)
    await requireSameDatabase(given)
    await transport.begin()
    const names = await transport.list()
    const { problems } = await adoptOwn(parts, names)
    for (const carrier of parts.rows) await state.save(await observeRows(carrier, parts))
    const received = await receive(parts, names)
    await state.save(await newForgets(parts))
    await renewIfDue(parts)
    const sent = await send(parts)
    await transport.finish()
    return { sent, received: { ...received, problems: [...problems, ...received.problems] } }
  } finally {
    await lock.release()
  }
}

/** What a round would send now; nothing leaves the machine. */
export async function wouldSend(given: Given): Promise<Counts> {
  const parts = await partsOf(given)
  const { generation } = await given.state.ownLog()
  const counts = noCounts()
  for (const carrier of parts.rows) {
    const waiting = (await given.state.ofType(carrier.type)).filter(
      ({ isOwn, sentIn }) => isOwn && sentIn !== generation,
    )
    const changed = await observeRows(carrier, parts)
    const all = new Map([...waiting, ...changed].map((record) => [record.id, record]))
    for (const { isDeleted, isOwn } of all.values())
      if (isOwn)
        counts[isDeleted ? 'forgotten' : carrier.type === 'task' ? 'tasks' : 'discoveries']++
  }
  const { dialogs, removed } = await countWaitingDialogs(parts)
  const forgets = await newForgets(parts)
  return { ...counts, dialogs, forgotten: counts.forgotten + removed + forgets.length }
}

/** In another database, or an empty one, everything would look deleted. */
async function requireSameDatabase({ state, databaseId }: Given): Promise<void> {
  if (databaseId === undefined) return
  const known = await state.database()
  if (known === undefined) await state.saveDatabase(databaseId)
  else if (known !== databaseId) throw anotherDatabase()
}

async function partsOf({ now, ...given }: Given): Promise<RoundParts> {
  const clock = new HybridClock(given.machine, await given.state.latest(), now)
  return { ...given, clock }
}

async function newForgets({
  state,
  dialogs,
  clock,
}: Pick<RoundParts, 'state' | 'dialogs' | 'clock'>): Promise<KnownRecord[]> {
  const type = 'forget'
  const known = new Set((await state.ofType(type)).map(({ id }) => id))
  const forgotten = await dialogs.forgotten()
  return forgotten
    .filter((id) => !known.has(id))
    .map((id) => ({ type, id, version: clock.next(), isOwn: true, sentIn: 0, size: id.length }))
}

/**
 * Segments that were written just before a round was killed: what is in them is sent. Others that this machine wrote must all be
 * there, or the other machines would miss something for good.
 */
async function adoptOwn(
  parts: RoundParts,
  names: readonly SegmentName[],
): Promise<{ problems: string[] }> {
  const { machine, state, transport, sealer } = parts
  const problems: string[] = []
  /** Others can put files there, too: what this machine did not seal is left alone, and overwritten once its number is due. */
  const readOwn = async (name: SegmentName) => {
    const bytes = await transport.read(name).catch((error: unknown) => {
      if (error instanceof Failure && error.errorType === 'sync_damaged') return undefined
      throw error
    })
    if (bytes && sealer.isAuthentic(name, bytes)) return bytes
    problems.push(`${segmentPath(name)} was not written by this machine; it is ignored`)
    return undefined
  }
  let log = await state.ownLog()
  const own = names.filter((name) => name.machine === machine).sort(bySequence)
  const current = own.filter(({ generation }) => generation === log.generation)
  // Begun by a memory that is lost: what is sent now would be taken for older than that.
  for (const name of own.filter(({ generation }) => generation > log.generation))
    if (await readOwn(name)) throw unreadableOwnLog()
  const there = new Set(current.map(({ sequence }) => sequence))
  for (let sequence = 1; sequence <= log.sequence; sequence++)
    if (!there.has(sequence)) throw unreadableOwnLog()
  for (const name of current.filter(({ sequence }) => sequence > log.sequence)) {
    const bytes = await readOwn(name)
    if (!bytes) continue
    const opened = sealer.open(name, log.chain, bytes)
    if (name.sequence !== log.sequence + 1 || opened === 'torn') throw unreadableOwnLog()
    const sent: KnownRecord[] = []
    let { written } = log
    for (const record of opened.records) {
      parts.clock.observe(record.version)
      const size = JSON.stringify(record).length
      written += size
      const known = await state.find(record.type, record.id)
      const { type, id, version } = record
      // Changed again since: that is still to be said.
      if (known && known.version > version) continue
      const own = { isOwn: true, sentIn: log.generation, size }
      sent.push({ ...saidIn(record), ...known, type, id, version, ...own, ...dialogSaidIn(record) })
    }
    log = { ...log, sequence: name.sequence, chain: opened.chain, written }
    await state.saveSent(log, sent)
  }
  return { problems }
}

/** For a machine that has lost what it remembered. */
function saidIn(record: SyncRecord): Partial<KnownRecord> {
  if (record.type === 'dialog' || record.type === 'forget') return {}
  return { fields: record.fields, isDeleted: record.deleted === true }
}

function dialogSaidIn(record: SyncRecord): Partial<KnownRecord> {
  if (record.type !== 'dialog') return {}
  const { stamp, group, body } = record
  return { stamp, group, isDeleted: body === undefined }
}

/**
 * A new generation is begun where the log holds words that were forgotten, or says most things several times. The old one is
 * removed once the new one is whole.
 */
async function renewIfDue({ state }: Pick<RoundParts, 'state'>): Promise<void> {
  const [log, dialogs, forgets] = await Promise.all([
    state.ownLog(),
    state.ofType('dialog'),
    state.ofType('forget'),
  ])
  const forgotten = new Set(forgets.map(({ id }) => id))
  const unwanted = dialogs.filter(({ isOwn, group = '' }) => isOwn && forgotten.has(group))
  const own = [...dialogs, ...(await state.ofType('task')), ...(await state.ofType('discovery'))]
  const live = own.reduce((sum, { isOwn, size }) => sum + (isOwn ? size : 0), 0)
  const isRepeated = log.written > SMALL_LOG && log.written > MAX_REPEATED * live
  if (unwanted.length === 0 && !isRepeated) return
  const generation = log.generation + 1
  await state.saveSent({ generation, sequence: 0, chain: '', written: 0 }, [])
  await state.forget(unwanted)
}

/** Writes what the others have not heard of yet; each segment is noted as soon as it is written. */
async function send(parts: RoundParts): Promise<Counts> {
  const { machine, state, transport, sealer } = parts
  const counts = noCounts()
  let log: OwnLog = await state.ownLog()
  let batch: Waiting[] = []
  let characters = 0
  const flush = async () => {
    if (batch.length === 0) return
    const name = { machine, generation: log.generation, sequence: log.sequence + 1 }
    const records = batch.map(({ record }) => record)
    const bytes = sealer.seal(name, log.chain, records)
    await transport.write(name, bytes)
    const written = log.written + characters
    log = { ...log, sequence: name.sequence, chain: chainOf(bytes), written }
    await state.saveSent(
      log,
      batch.map(({ known }) => ({ ...known, sentIn: log.generation })),
    )
    for (const { record } of batch) count(counts, record)
    batch = []
    characters = 0
  }
  for await (const { record, known } of waitingRecords(parts, log.generation)) {
    const size = JSON.stringify(record).length
    batch.push({ record, known: { ...known, size } })
    characters += size
    if (characters >= SEGMENT_CHARACTERS) await flush()
  }
  await flush()
  const names = await transport.list()
  const old = names.filter((name) => name.machine === machine && name.generation < log.generation)
  if (old.length > 0) await transport.remove(old)
  return counts
}

function count(counts: Counts, record: Waiting['record']): void {
  const isGone =
    record.type === 'forget' ||
    (record.type === 'dialog' ? record.body === undefined : record.deleted === true)
  if (isGone) counts.forgotten++
  else if (record.type === 'dialog') counts.dialogs++
  else counts[record.type === 'task' ? 'tasks' : 'discoveries']++
}

interface Waiting {
  readonly record: SyncRecord
  readonly known: KnownRecord
}

/** What this machine's log does not hold yet, in its current generation. One dialog at a time is in memory. */
async function* waitingRecords(
  parts: Pick<RoundParts, 'state' | 'dialogs' | 'clock' | 'rows'>,
  generation: number,
): AsyncGenerator<Waiting> {
  const { state, rows } = parts
  for (const known of await state.ofType('forget')) {
    if (!known.isOwn || known.sentIn === generation) continue
    const { id, version } = known
    yield { record: { type: 'forget', id, version }, known }
  }
  for (const { type } of rows)
    for (const known of await state.ofType(type)) {
      if (!known.isOwn || known.sentIn === generation) continue
      const { id, version, fields = {} } = known
      const deleted = known.isDeleted ? ({ deleted: true } as const) : {}
      yield { record: { type, id, version, fields, ...deleted }, known }
    }
  yield* waitingDialogs(parts, generation)
}

async function* waitingDialogs(
  { state, dialogs, clock }: Pick<RoundParts, 'state' | 'dialogs' | 'clock'>,
  generation: number,
): AsyncGenerator<Waiting> {
  const type = 'dialog'
  const known = new Map((await state.ofType(type)).map((record) => [record.id, record]))
  for (const { id, stamp, isRemoved } of await dialogs.own()) {
    const before = known.get(id)
    const isSaid = before?.isOwn === true && before.isDeleted === isRemoved
    const isSame = isSaid && (isRemoved || before.stamp === stamp)
    if (isSame && before.sentIn === generation) continue
    // Nobody has heard of it.
    if (isRemoved && !before?.isOwn) continue
    const packed = isRemoved ? { group: before?.group ?? '' } : await dialogs.pack(id)
    if (!packed) continue
    const version = isSame ? before.version : clock.next()
    const record = { type, id, version, stamp, ...packed } as const
    const { group } = packed
    const own = { isDeleted: isRemoved, isOwn: true, sentIn: 0, size: 0 }
    yield { record, known: { type, id, version, stamp, group, ...own } }
  }
}

/** How many there are, by what was seen of the files alone: nothing is read for it. */
async function countWaitingDialogs({
  state,
  dialogs,
}: Pick<RoundParts, 'state' | 'dialogs'>): Promise<{ dialogs: number; removed: number }> {
  const known = new Map((await state.ofType('dialog')).map((record) => [record.id, record]))
  const own = await dialogs.own()
  const changed = own.filter(({ id, stamp, isRemoved }) => {
    const before = known.get(id)
    if (isRemoved) return before?.isOwn === true && !before.isDeleted
    return !(before?.isOwn && !before.isDeleted && before.stamp === stamp)
  })
  const removed = changed.filter(({ isRemoved }) => isRemoved).length
  return { dialogs: changed.length - removed, removed }
}
