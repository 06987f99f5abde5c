import type { ReadContext, Source } from '@secretary-mcp/transcripts/source.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import type { DialogStore, KnownStamp } from '../dialog-store.ts'
import { DAY_MS, fateOf, homeOf, type KeptStamp, type KeptStore, type Named } from './kept-store.ts'
import { indexedDialog, type Listed, wholeDialog } from './whole-dialog.ts'

/** A dialog that goes on is not stored again with every line. */
const AT_REST_MS = 3_600_000

interface Parts {
  readonly sources: readonly Source[]
  readonly store: DialogStore
  readonly deeds?: DeedStore
  readonly kept?: KeptStore
  /** How long dialogs are kept whose file is gone, counted from their last change. */
  readonly keepDays?: number
}

type Stamps = ReadonlyMap<string, KnownStamp>

/** Keeps what was read of every dialog, and judges what becomes of one whose file is gone. */
export class Keeping {
  readonly #parts: Parts
  readonly #keepMs: number
  #stamps?: Map<string, KeptStamp>
  #resting?: Promise<void>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#keepMs = parts.kept ? (parts.keepDays ?? 0) * DAY_MS : 0
  }

  async forgottenKeys(): Promise<ReadonlySet<string>> {
    return (await this.#parts.kept?.forgottenKeys()) ?? new Set()
  }

  /** Another process may have forgotten it a moment ago; a helper is forgotten with its lead. */
  async isForgotten(dialog: Named): Promise<boolean> {
    const { kept } = this.#parts
    if (!(await kept?.isForgotten(dialog))) return false
    await kept?.forget([dialog])
    return true
  }

  /** Of the dialogs that are no longer listed: whose file is only gone, and of which nothing is to stay. */
  async judge(
    stamps: Stamps,
    present: ReadonlySet<string>,
    unlisted: ReadonlySet<Source>,
  ): Promise<{ gone: string[]; removed: string[] }> {
    const gone: string[] = []
    const removed: string[] = []
    for (const [key, stamp] of stamps) {
      if (stamp.removed || present.has(key)) continue
      const isOver = Date.now() - stamp.mtimeMs > this.#keepMs
      if (stamp.gone) {
        if (isOver) removed.push(key)
        continue
      }
      const home = homeOf(key, this.#parts.sources)
      if (home && unlisted.has(home.source)) continue
      const fate = await fateOf(key, stamp, this.#parts.sources)
      if (fate === 'deleted' || isOver) removed.push(key)
      else gone.push(key)
    }
    return { gone, removed }
  }

  /** What an index lost, for files that are no longer there to be read again. */
  async restore(stamps: Stamps, present: ReadonlySet<string>, withDeeds?: ReadonlySet<string>) {
    const { kept, store, deeds } = this.#parts
    if (!kept || this.#keepMs === 0) return []
    const restored: { key: string; stamp: KnownStamp }[] = []
    for (const [key, { size, mtimeMs }] of await this.#known(kept)) {
      if (present.has(key)) continue
      const isLost = !stamps.has(key)
      if (!isLost && (withDeeds?.has(key) ?? true)) continue
      if (stamps.get(key)?.removed) continue
      const found = await kept.find(key)
      if (!found) continue
      const { dialog, lead, deeds: done, repository } = found
      const { sessionId, source, project } = dialog
      const known = { key, sessionId, source, project, lead, repository }
      await deeds?.save([{ ...known, deeds: done, isWhole: true }])
      if (isLost) await store.save([dialog])
      restored.push({ key, stamp: stamps.get(key) ?? { size, mtimeMs, gone: false } })
    }
    return restored
  }

  async removed(keys: readonly string[]): Promise<void> {
    await this.#parts.deeds?.forget(keys)
    await this.#parts.kept?.remove(keys)
    for (const key of keys) this.#stamps?.delete(key)
  }

  /** Dialogs that their agent may soon delete are kept before anything else, the rest when there is time for it. */
  async keep(listed: readonly Listed[], context: ReadContext): Promise<void> {
    const { kept } = this.#parts
    if (!kept) return
    await kept.removeBefore(Date.now() - this.#keepMs)
    const known = await this.#known(kept)
    const open = listed.filter(({ found: { key, size, mtimeMs } }) => {
      const stamp = known.get(key)
      const isKept = stamp?.size === size && stamp.mtimeMs === mtimeMs
      return !isKept && Date.now() - mtimeMs <= this.#keepMs
    })
    const rest: Listed[] = []
    const cleanupDays = new Map<Source, number | undefined>()
    for (const source of new Set(open.map((one) => one.source)))
      cleanupDays.set(source, await source.cleanupDays?.())
    for (const one of open.reverse()) {
      const ageMs = Date.now() - one.found.mtimeMs
      const days = cleanupDays.get(one.source)
      if (days !== undefined && ageMs >= (days * DAY_MS) / 2) await this.#keep(one, context)
      else if (ageMs >= AT_REST_MS) rest.push(one)
    }
    this.#resting ??= this.#keepSlowly(rest, context).finally(() => {
      this.#resting = undefined
    })
  }

  async close(): Promise<void> {
    await this.#resting
  }

  async #known(kept: KeptStore): Promise<Map<string, KeptStamp>> {
    this.#stamps ??= await kept.stamps()
    return this.#stamps
  }

  async #keepSlowly(listed: readonly Listed[], context: ReadContext): Promise<void> {
    for (const one of listed) {
      const began = performance.now()
      if (context.signal.aborted) return
      await this.#keep(one, context).catch(() => {})
      await pause(performance.now() - began, context.signal)
    }
  }

  async #keep({ source, found }: Listed, context: ReadContext): Promise<void> {
    const { store, deeds, kept } = this.#parts
    const reading = await store.findReading(found.key)
    if (!kept || !reading) return
    const dialog = indexedDialog(source, found, reading)
    if (await kept.isForgotten({ ...dialog, lead: reading.lead })) return
    await kept.save(await wholeDialog({ source, found }, reading, deeds, context))
    this.#stamps?.set(found.key, { size: found.size, mtimeMs: found.mtimeMs })
  }
}

/** As long as the work took: a call that comes meanwhile finds the processor free half of the time. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(stop, ms).unref()
    signal.addEventListener('abort', stop, { once: true })
  })
}
