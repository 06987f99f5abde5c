import { Failure } from '@secretary-mcp/core/failure.ts'
import type { SyncRecord } from './record.ts'
import { type Counts, noCounts, type RoundParts } from './round-parts.ts'
import { chainOf } from './seal.ts'
import { bySequence, type SegmentName, segmentPath } from './segment.ts'
import { unreadableOwnLog } from './sync-failures.ts'
import type { KnownRecord, OwnLog } from './sync-state.ts'
import { type Waiting, waitingRecords } from './waiting-records.ts'

/** So many characters go into one segment, or one record that is larger. */
const SEGMENT_CHARACTERS = 4 << 20
/** Below this a log is never rewritten only because it repeats itself. */
const SMALL_LOG = 32 << 20
const MOST_REPEATED = 3

/**
 * Segments that were written just before a round was killed: what is in them is sent. Others that this machine wrote must all be
 * there, or the other machines would miss something for good.
 */
export async function adoptOwn(
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
export async function renewIfDue({ state }: Pick<RoundParts, 'state'>): Promise<void> {
  const [log, dialogs, forgets] = await Promise.all([
    state.ownLog(),
    state.ofType('dialog'),
    state.ofType('forget'),
  ])
  const forgotten = new Set(forgets.map(({ id }) => id))
  const unwanted = dialogs.filter(({ isOwn, group = '' }) => isOwn && forgotten.has(group))
  const own = [...dialogs, ...(await state.ofType('task')), ...(await state.ofType('discovery'))]
  const live = own.reduce((sum, { isOwn, size }) => sum + (isOwn ? size : 0), 0)
  const isRepeated = log.written > SMALL_LOG && log.written > MOST_REPEATED * live
  if (unwanted.length === 0 && !isRepeated) return
  const generation = log.generation + 1
  await state.saveSent({ generation, sequence: 0, chain: '', written: 0 }, [])
  await state.forget(unwanted)
}

/** Writes what the others have not heard of yet; each segment is noted as soon as it is written. */
export async function send(parts: RoundParts): Promise<Counts> {
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
