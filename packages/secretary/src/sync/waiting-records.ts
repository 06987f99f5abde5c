import type { SyncRecord } from './record.ts'
import type { RoundParts } from './round-parts.ts'
import type { KnownRecord } from './sync-state.ts'

export interface Waiting {
  readonly record: SyncRecord
  readonly known: KnownRecord
}

/** What this machine's log does not hold yet, in its current generation. One dialog at a time is in memory. */
export async function* waitingRecords(
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
export async function countWaitingDialogs({
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
