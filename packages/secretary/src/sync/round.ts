import type { DialogCarrier, RowCarrier } from './carriers.ts'
import { HybridClock } from './hybrid-clock.ts'
import { observeRows } from './observe-rows.ts'
import { receive } from './receive.ts'
import { type Counts, noCounts, type Received, type RoundParts } from './round-parts.ts'
import type { Sealer } from './seal.ts'
import { adoptOwn, renewIfDue, send } from './send.ts'
import { anotherDatabase, underWay } from './sync-failures.ts'
import type { KnownRecord, SyncState } from './sync-state.ts'
import type { Transport } from './transport.ts'
import { countWaitingDialogs } from './waiting-records.ts'

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
