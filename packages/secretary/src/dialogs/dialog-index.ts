import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { withinTime } from '@secretary-mcp/core/within-time.ts'
import type { Dialog, Reading, ReadResult } from '@secretary-mcp/transcripts/dialog.ts'
import { LeftOut, reasonFor } from '@secretary-mcp/transcripts/reading/files.ts'
import type { Found, ReadContext, Source } from '@secretary-mcp/transcripts/source.ts'
import { INCOMPLETE_LINE } from '@secretary-mcp/transcripts/transcript.ts'
import type { DeedStore, DialogDeeds } from './deeds/deed-store.ts'
import { dialogDeeds } from './deeds/kept-deed.ts'
import type { DialogStore, IndexedDialog, KnownStamp } from './dialog-store.ts'
import type { Keeping } from './keeping/keeping.ts'
import type { KeptStore } from './keeping/kept-store.ts'
import { indexedDialog, type Listed as Work } from './keeping/whole-dialog.ts'

/** A listing younger than this is good enough: a new dialog shows within a second of reaching the disk. */
const LISTING_MS = 800
/** Dialogs go to the store in batches, small enough that a reader who waits sees them soon. */
const BATCH = 40
const SAVE_MS = 250
/** How long a call waits for the first scan before it answers from what has been read. */
const PATIENCE_MS = 3_000
const never = new AbortController().signal

interface Parts {
  readonly sources: readonly Source[]
  readonly store: DialogStore
  readonly deeds?: DeedStore
  readonly kept?: KeptStore
  readonly keepDays?: number
  readonly patienceMs?: number
  readonly log: Log
  /** Told of every dialog that is new or has changed, once it is stored. */
  readonly changed?: (dialog: Dialog) => void
}

interface Taken {
  readonly dialog: IndexedDialog
  readonly deeds: DialogDeeds
}

/** Keeps the stored index in step with the agents' files. One scan runs at a time; whoever asks meanwhile joins it. */
export class DialogIndex {
  readonly #parts: Parts
  readonly #keeping: ReturnType<typeof keepingOf>
  readonly #context: ReadContext
  readonly #ending = new AbortController()
  readonly #leftOut: LeftOut
  /** Files that could not be read, until they change. */
  readonly #broken = new Map<string, string>()
  #stamps?: Map<string, KnownStamp>
  /** Dialogs whose deeds are known; undefined where nobody keeps deeds. */
  #withDeeds?: Set<string>
  readonly #repositories = new Map<string, Repository | undefined>()
  #generation = 0
  #scan?: Promise<void>
  #listedAt = 0
  #listings = 0
  #waiting = 0
  #revision = 0
  #paths: string[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#leftOut = new LeftOut(parts.log)
    this.#keeping = keepingOf(parts)
    this.#context = {
      wantsDeeds: parts.deeds !== undefined,
      signal: this.#ending.signal,
      warn: this.#leftOut.add,
    }
  }

  /** Rises with everything that is taken in. */
  get revision(): number {
    return this.#revision
  }

  /** What an answer lacks as long as this scan has not read everything: to be said beside it. */
  get unread(): { readonly note?: string } {
    const isListing = this.#scan !== undefined && this.#listings === 0
    if (this.#waiting === 0 && !isListing) return {}
    if (isListing) return { note: 'Dialogs are still being read' }
    return { note: `Dialogs are still being read: ${this.#waiting} to go` }
  }

  /** Of every dialog on the disk, newest first, as last listed. */
  get paths(): readonly string[] {
    return this.#paths
  }

  /** The next caller looks at the disk, however lately somebody did. */
  invalidate(): void {
    this.#listedAt = 0
  }

  get isScanning(): boolean {
    return this.#scan !== undefined
  }

  get isStale(): boolean {
    return this.#listedAt === 0
  }

  get context(): ReadContext {
    return this.#context
  }

  get sources(): readonly Source[] {
    return this.#parts.sources
  }

  sourceOf(dialog: Pick<Dialog, 'source'>): Source | undefined {
    return this.#parts.sources.find(({ name }) => name === dialog.source)
  }

  /** Brings the index up to date, newest files first; after `waitMs` the rest goes on behind the caller's back. */
  async refresh(waitMs: number, signal: AbortSignal = never): Promise<void> {
    if (!this.#scan && !this.isStale && performance.now() - this.#listedAt < LISTING_MS) return
    this.#scan ??= this.#run().finally(() => {
      this.#scan = undefined
    })
    const scan = this.#scan
    // Whoever has stopped waiting must not leave an unhandled failure behind; the next caller meets it again.
    scan.catch(() => {})
    await withinTime(scan, waitMs, signal)
  }

  /** The same, as long as a call may take; what is missing then is `unread`. */
  awaitScan(signal: AbortSignal): Promise<void> {
    return this.refresh(this.#parts.patienceMs ?? PATIENCE_MS, signal)
  }

  /** Reads one dialog again if its file has changed; says what the index knows of it now. */
  async refreshOne(dialog: Dialog, { fromStart = false } = {}): Promise<Dialog> {
    const source = this.sourceOf(dialog)
    const found =
      dialog.chatJsonPath === undefined
        ? undefined
        : await source?.stat(dialog.key, dialog.chatJsonPath)
    if (!source || !found) return dialog
    if (!fromStart && found.size === dialog.size && found.mtimeMs === dialog.mtimeMs) return dialog
    const taken = await this.#read({ source, found }, fromStart)
    if (!taken) return dialog
    await this.#save([taken])
    return taken.dialog
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#scan?.catch(() => {})
    await (await this.#keeping).close()
  }

  async #run(): Promise<void> {
    const { sources, store } = this.#parts
    const { generation } = store
    if (!this.#stamps || generation !== this.#generation) this.#stamps = await store.stamps()
    this.#generation = generation
    if (!this.#withDeeds && this.#parts.deeds)
      this.#withDeeds = new Set(await this.#parts.deeds.known())
    const stamps = this.#stamps
    const unlisted = new Set<Source>()
    const all = await Promise.all(sources.map((source) => this.#list(source, unlisted)))
    const forgotten = await (await this.#keeping).forgottenKeys()
    const listed = all.flat().filter(({ found }) => !forgotten.has(found.key))
    this.#listedAt = performance.now()
    listed.sort((a, b) => b.found.mtimeMs - a.found.mtimeMs)
    this.#paths = listed.map(({ found }) => found.path)
    await this.#settle(listed, stamps, { unlisted, forgotten })
    const changed = listed.filter((work) => this.#isNew(work, stamps))
    this.#waiting = changed.length
    this.#listings++
    try {
      let batch: Taken[] = []
      let savedAt = performance.now()
      let left = changed.length
      for await (const taken of oneAhead(changed, (work) => this.#read(work))) {
        left--
        if (taken) batch.push(taken)
        if (left > 0 && batch.length < BATCH && performance.now() - savedAt < SAVE_MS) continue
        await this.#save(batch)
        batch = []
        savedAt = performance.now()
        this.#waiting = left
      }
    } finally {
      this.#waiting = 0
    }
    await (await this.#keeping).keep(listed, this.#context)
  }

  async #list(source: Source, unlisted: Set<Source>): Promise<Work[]> {
    try {
      return (await source.list(this.#context)).map((found) => ({ source, found }))
    } catch (error) {
      this.#leftOut.add(source.name, reasonFor(error))
      unlisted.add(source)
      return []
    }
  }

  #isNew({ found }: Work, stamps: ReadonlyMap<string, KnownStamp>): boolean {
    const known = stamps.get(found.key)
    if (this.#broken.get(found.key) === stampText(found)) return false
    if (this.#withDeeds && !this.#withDeeds.has(found.key)) return true
    return !known || known.gone || known.size !== found.size || known.mtimeMs !== found.mtimeMs
  }

  async #read({ source, found }: Work, fromStart = false): Promise<Taken | undefined> {
    try {
      const goesOn =
        !fromStart && this.#stamps?.has(found.key) && this.#withDeeds?.has(found.key) !== false
      const known = goesOn ? await this.#parts.store.findReading(found.key) : undefined
      const leftOut: string[] = []
      const warn = (path: string, why: string) => {
        if (why !== INCOMPLETE_LINE) leftOut.push(why)
        this.#context.warn(path, why)
      }
      const read = withLeftOut(
        await source.read(found, known, { ...this.#context, warn }),
        known,
        leftOut,
      )
      const dialog = indexedDialog(source, found, read)
      const repository = await this.#repository(read)
      return { dialog, deeds: { ...dialogDeeds(dialog, read), repository } }
    } catch (error) {
      if (this.#ending.signal.aborted) throw error
      this.#broken.set(found.key, stampText(found))
      this.#leftOut.add(found.path, reasonFor(error))
      return undefined
    }
  }

  async #repository({ project }: ReadResult): Promise<Repository | undefined> {
    if (project === undefined || !this.#parts.deeds) return undefined
    const { repositoryOf } = await import('@secretary-mcp/core/files/repository.ts')
    if (!this.#repositories.has(project)) this.#repositories.set(project, repositoryOf(project))
    return this.#repositories.get(project)
  }

  /** Deeds first: a read that is not recorded is made again, and finds them there. */
  async #save(taken: readonly Taken[]): Promise<void> {
    const keeping = await this.#keeping
    const batch: Taken[] = []
    for (const one of taken)
      if (!(await keeping.isForgotten({ ...one.dialog, lead: one.deeds.lead }))) batch.push(one)
    if (batch.length === 0) return
    const dialogs = batch.map(({ dialog }) => dialog)
    await this.#parts.deeds?.save(batch.map(({ deeds }) => deeds))
    await this.#parts.store.save(dialogs)
    this.#revision++
    for (const { key, size, mtimeMs } of dialogs) {
      this.#stamps?.set(key, { size, mtimeMs, gone: false })
      this.#withDeeds?.add(key)
    }
    for (const dialog of dialogs) this.#parts.changed?.(dialog)
  }

  /** What becomes of dialogs whose file is no longer listed. */
  async #settle(
    listed: readonly Work[],
    stamps: Map<string, KnownStamp>,
    { unlisted, forgotten }: { unlisted: Set<Source>; forgotten: ReadonlySet<string> },
  ): Promise<void> {
    const present = new Set(listed.map(({ found }) => found.key))
    const keeping = await this.#keeping
    for (const { key, stamp } of await keeping.restore(stamps, present, this.#withDeeds)) {
      stamps.set(key, stamp)
      this.#withDeeds?.add(key)
    }
    const judged = await keeping.judge(stamps, present, unlisted)
    const gone = judged.gone.filter((key) => !forgotten.has(key))
    const again = [...forgotten].filter((key) => stamps.get(key)?.removed === undefined)
    await this.drop([...judged.removed, ...again.filter((key) => stamps.has(key))])
    if (gone.length === 0) return
    await this.#parts.store.markGone(gone)
    for (const key of gone) markStamp(stamps, key, { gone: true })
    this.#revision++
  }

  /** Nothing of these stays, in any index. */
  async drop(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await (await this.#keeping).removed(keys)
    await this.#parts.store.remove(keys)
    for (const key of keys) {
      if (this.#stamps) markStamp(this.#stamps, key, { gone: true, removed: true })
      this.#withDeeds?.delete(key)
    }
    this.#revision++
  }

  /** What was left out since the start, and why. */
  get warnings(): readonly string[] {
    return this.#leftOut.all
  }
}

/** What was left out stays known with the dialog: a file is read once, and whoever asks later is another process. */
function withLeftOut(
  { leftOut: _before, ...read }: ReadResult,
  known: Reading | undefined,
  reasons: readonly string[],
): ReadResult {
  const before = read.isWhole === false ? known?.leftOut : undefined
  const why = before?.why ?? reasons[0]
  if (why === undefined) return read
  return { ...read, leftOut: { parts: (before?.parts ?? 0) + reasons.length, why } }
}

function markStamp(
  stamps: Map<string, KnownStamp>,
  key: string,
  change: Partial<KnownStamp>,
): void {
  const stamp = stamps.get(key)
  if (stamp) stamps.set(key, { ...stamp, ...change })
}

function stampText({ size, mtimeMs }: Found): string {
  return `${size}/${mtimeMs}`
}

type KeepingPort = Pick<Keeping, keyof Keeping>

type KeepingParts = ConstructorParameters<typeof Keeping>[0]

/** Where nothing is kept, as in the editor, its code is not loaded either. */
async function keepingOf(parts: KeepingParts): Promise<KeepingPort> {
  if (!parts.kept) return notKept(parts)
  const { Keeping } = await import('./keeping/keeping.ts')
  return new Keeping(parts)
}

/** What is gone from the disk is gone. */
function notKept({ deeds }: { readonly deeds?: DeedStore }): KeepingPort {
  return {
    forgottenKeys: async () => new Set(),
    isForgotten: async () => false,
    restore: async () => [],
    async judge(stamps, present, unlisted) {
      const sourcesLeft = [...unlisted]
      const isUnlisted = (key: string) =>
        sourcesLeft.some(({ roots }: Source) => roots.some((root) => key.startsWith(root)))
      const removed = [...stamps]
        .filter(([key, stamp]) => !stamp.removed && !present.has(key) && !isUnlisted(key))
        .map(([key]) => key)
      return { gone: [], removed }
    },
    removed: async (keys) => deeds?.forget(keys),
    keep: async () => {},
    close: async () => {},
  }
}

/** In order, while the next one is begun: one waits for the disk as the other is worked on. */
export async function* oneAhead<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  let [next] = items.slice(0, 1).map(work)
  for (let place = 1; next; place++) {
    const current = next
    ;[next] = items.slice(place, place + 1).map(work)
    // Whoever stops early does not hear how it went.
    next?.catch(() => {})
    yield await current
  }
}
