import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isDamage } from '@secretary-mcp/search/index-store.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { Note } from '@secretary-mcp/search/search-types.ts'
import type { Discoveries } from './discoveries/discoveries.ts'
import {
  type DialogFeed,
  feedDialogs,
  feedDiscoveries,
  feedFromOthers,
} from './discoveries/feed.ts'
import type { RequestFeed } from './requests-in-spaces.ts'

/** Puts notes into the index beside whatever goes on, those that came in meanwhile together. */
class NoteFiling {
  readonly #put: (project: string, notes: readonly Note[]) => Promise<void>
  readonly #waiting = new Map<string, Note[]>()
  readonly #running = new Map<string, Promise<void>>()

  /** `put` does not reject. */
  constructor(put: (project: string, notes: readonly Note[]) => Promise<void>) {
    this.#put = put
  }

  add(project: string, note: Note): void {
    const waiting = this.#waiting.get(project)
    if (waiting) waiting.push(note)
    else this.#waiting.set(project, [note])
    if (!this.#running.has(project)) this.#running.set(project, this.#run(project))
  }

  /** Until everything that was added is in the index. */
  async done(project?: string): Promise<void> {
    if (project !== undefined) await this.#running.get(project)
    else await Promise.all(this.#running.values())
  }

  async #run(project: string): Promise<void> {
    // The call that brought the note is answered first.
    await nextTurn()
    for (let notes = this.#take(project); notes; notes = this.#take(project))
      await this.#put(project, notes)
    this.#running.delete(project)
  }

  #take(project: string): Note[] | undefined {
    const notes = this.#waiting.get(project)
    this.#waiting.delete(project)
    return notes
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Until when what spaces know of a project was read into its index. */
class SpaceMarks {
  readonly #readMs = new Map<string, Map<string, number>>()

  /** The earliest moment of those that were read at all; without end where none was. */
  since(project: string, spaces: readonly string[]): number {
    const marks = this.#readMs.get(project)
    return Math.min(...spaces.map((space) => marks?.get(space) ?? Number.POSITIVE_INFINITY))
  }

  isRead(project: string, space: string): boolean {
    return this.#readMs.get(project)?.has(space) === true
  }

  read(project: string, space: string, ms: number): void {
    const marks = this.#readMs.get(project) ?? new Map<string, number>()
    this.#readMs.set(project, marks.set(space, ms))
  }

  /** After its index was lost. */
  forget(project: string): void {
    this.#readMs.delete(project)
  }
}

export type SearchEngineOf = (project: string) => Promise<SearchEngine>

interface Parts {
  readonly engineOf: SearchEngineOf
  /** After the index was damaged. */
  readonly reopenEngine: (project: string) => Promise<void>
  readonly discoveries: Discoveries
  readonly dialogs?: DialogFeed
  /** Whether code is indexed without being asked; notes are fed in any case. */
  readonly indexesCode: boolean
  readonly requests?: RequestFeed
  readonly log: Log
}

interface Job {
  readonly done: Promise<void>
  isDone: boolean
  problem?: unknown
  /** By a clock that nobody sets back. */
  endedMs: number
}

/** Soon enough for a decision of a minute ago to be found, seldom enough to cost nothing. */
const DIALOGS_AGAIN_AFTER_MS = 60_000
/** What failed, for want of a database or of room on the disk, may work a moment later. */
const FAILED_AGAIN_AFTER_MS = 5_000
/** A command that ends at once should not begin to index. */
const DELAY_MS = 500
/** For a space that is not very large; a larger one is found by the next search. */
const SPACES_WAIT_MS = 1_500

/** Indexing in the background: begun when the family is first used, once for each project. */
export class Preparation {
  readonly #parts: Parts
  readonly #indexing = new Map<string, Job>()
  readonly #feeding = new Map<string, Job>()
  readonly #watchers: Promise<{ close(): Promise<void> } | undefined>[] = []
  readonly #ending = new AbortController()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #fromOthers = new Map<string, { since: number; readonly ids: Set<string> }>()
  readonly #spaceFeeds = new Map<string, Job>()
  readonly #spaceMarks = new SpaceMarks()
  readonly #requestFeeds = new Map<string, Promise<void>>()
  readonly #filing = new NoteFiling((project, notes) =>
    this.engineOf(project)
      .then((engine) => engine.putNotes(notes))
      .catch((error: unknown) => this.#warn(error)),
  )
  readonly #readers = new Set<() => void>()
  readonly #startedMs = Date.now()
  #watches = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The index has it before the next search looks there. */
  file(project: string, note: Note): void {
    this.#filing.add(project, note)
  }

  /** For as long as a server runs: every index that was made is kept up. Watching costs a handle for each folder. */
  watch(): void {
    this.#watches = true
  }

  /** The engine is opened again and fed from the beginning. */
  async reopen(project: string): Promise<void> {
    await this.#parts.reopenEngine(project)
    this.#indexing.delete(project)
    this.#spaceMarks.forget(project)
    this.#parts.requests?.forget(project)
    for (const jobs of [this.#feeding, this.#spaceFeeds])
      for (const key of jobs.keys()) if (key.endsWith(`\0${project}`)) jobs.delete(key)
  }

  engineOf(project: string): Promise<SearchEngine> {
    return this.#parts.engineOf(project)
  }

  /** For tools that do without the index: it will be there when somebody asks. */
  beginSoon(caller: Caller): void {
    if (this.#indexing.has(caller.project) || this.#timers.size > 0) return
    this.#later(DELAY_MS, () => this.begin(caller))
  }

  begin(caller: Caller): void {
    if (this.#ending.signal.aborted) return
    const { project } = caller
    if (this.#parts.indexesCode && isDue(this.#indexing.get(project), Number.POSITIVE_INFINITY))
      this.#indexing.set(
        project,
        this.#run(() => this.#index(project)),
      )
    const key = keyOf(caller)
    const feeding = this.#feeding.get(key)
    if (isDue(feeding, DIALOGS_AGAIN_AFTER_MS))
      this.#feeding.set(
        key,
        this.#run(() => this.#feed(caller, !feeding || feeding.problem !== undefined)),
      )
  }

  isSettled(caller: Caller): boolean {
    return this.#jobsOf(caller).every(({ isDone }) => isDone)
  }

  problemOf(caller: Caller): unknown {
    const { project } = caller
    return this.#indexing.get(project)?.problem ?? this.#feeding.get(keyOf(caller))?.problem
  }

  /** Whether dialogs are being read for the first time: until then some are missing. */
  async isFirstReading(caller: Caller): Promise<boolean> {
    if (this.#feeding.get(keyOf(caller))?.isDone !== false) return false
    return (await (await this.engineOf(caller.project)).readUntil(caller.user)) === 0
  }

  /** Until the jobs are done, or no longer than given. */
  async settled(caller: Caller, mostMs: number, signal: AbortSignal): Promise<void> {
    await within(Promise.all(this.#jobsOf(caller).map(({ done }) => done)), mostMs, signal)
  }

  /** Until what was said in dialogs since the last time is in the index too, or no longer than given. */
  async fed(caller: Caller, mostMs: number, signal: AbortSignal): Promise<void> {
    const feeding = this.#feeding.get(keyOf(caller))
    const filed = this.#filing.done(caller.project)
    const isFed = feeding?.isDone === false ? feeding.done : undefined
    await within(Promise.all([filed, isFed]), mostMs, signal)
  }

  /** Whether what was said in dialogs is still being read. */
  isReading(caller: Caller): boolean {
    if (this.#parts.dialogs?.isReading(caller)) return true
    return this.#feeding.get(keyOf(caller))?.isDone === false
  }

  /** What these spaces know is in the index, and so is what is shared of dialogs, and what was recorded through other processes. */
  async caughtUp(
    caller: Caller,
    spaces: readonly string[],
    sharing: readonly string[] = spaces,
  ): Promise<void> {
    const { discoveries } = this.#parts
    const { project } = caller
    const fed = spaces.map((space) => this.#feedSpace(caller, space).done)
    fed.push(this.#feedRequests(caller, sharing))
    await within(Promise.all(fed), SPACES_WAIT_MS, this.#ending.signal)
    const engine = await this.engineOf(project)
    const key = keyOf(caller)
    const seen = this.#fromOthers.get(key) ?? { since: this.#startedMs, ids: new Set() }
    this.#fromOthers.set(key, seen)
    // Somebody who has just joined a space may be ahead of what was read of it.
    const read = spaces.filter((space) => this.#spaceMarks.isRead(project, space))
    seen.since = Math.min(seen.since, this.#spaceMarks.since(project, read))
    const began = Date.now()
    const withSpaces = spaces.length > 0
    try {
      await feedFromOthers(caller, { engine, discoveries }, seen, { withSpaces })
      for (const space of read) this.#spaceMarks.read(project, space, began)
    } catch (error) {
      if (isDamage(error)) throw error
      // Code and what is in the index are found without the database.
      this.#warn(error)
    }
  }

  async close(): Promise<void> {
    await this.#filing.done()
    this.#ending.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(
      [this.#indexing, this.#feeding, this.#spaceFeeds]
        .flatMap((jobs) => [...jobs.values()])
        .map(({ done }) => done),
    )
    await Promise.all(this.#requestFeeds.values())
    await Promise.all(this.#watchers.map(async (watcher) => (await watcher)?.close()))
  }

  async #index(project: string): Promise<void> {
    const { signal } = this.#ending
    const engine = await this.engineOf(project)
    await engine.index({ signal, aside: true })
    if (this.#watches && !signal.aborted)
      this.#watchers.push(engine.watch().catch((error: unknown) => this.#warn(error)))
  }

  /** Unless it all ends before. */
  #later(delayMs: number, work: () => void): void {
    if (this.#ending.signal.aborted) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, delayMs).unref()
    this.#timers.add(timer)
  }

  #warn(error: unknown): undefined {
    this.#parts.log.warn({ err: error }, 'the search index could not be brought up to date')
    return undefined
  }

  /** All that a space knows of the project, once. */
  #feedSpace(caller: Caller, space: string): Job {
    const { project } = caller
    const key = `${space}\0${project}`
    const known = this.#spaceFeeds.get(key)
    if (known && !isDue(known, Number.POSITIVE_INFINITY)) return known
    const job = this.#run(async () => {
      const began = Date.now()
      const parts = { engine: await this.engineOf(project), discoveries: this.#parts.discoveries }
      await feedDiscoveries({ ...caller, space }, parts, this.#ending.signal)
      this.#spaceMarks.read(project, space, began)
    })
    this.#spaceFeeds.set(key, job)
    return job
  }

  /** One after the other for each project: two would do the same work. */
  #feedRequests(caller: Caller, spaces: readonly string[]): Promise<void> {
    const { requests } = this.#parts
    const { project } = caller
    if (!requests || spaces.length === 0) return Promise.resolve()
    const { signal } = this.#ending
    const feeding = (this.#requestFeeds.get(project) ?? Promise.resolve())
      .then(async () => requests.catchUp(caller, spaces, await this.engineOf(project), signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#warn(error)
      })
    this.#requestFeeds.set(project, feeding)
    return feeding
  }

  /**
   * Until every dialog is in the index, however long that takes: for commands, which end with their answer and have nobody who comes
   * back. Each dialog that was read is announced.
   */
  async readDialogs(caller: Caller, signal: AbortSignal, onRead: () => void): Promise<void> {
    const key = keyOf(caller)
    this.#readers.add(onRead)
    try {
      do {
        const running = this.#feeding.get(key)
        const job =
          running?.isDone === false
            ? running
            : this.#run(() => this.#feed(caller, running === undefined))
        this.#feeding.set(key, job)
        await untilAborted(job.done, signal)
        if (job.problem !== undefined) throw job.problem
      } while (this.#parts.dialogs?.isReading(caller))
    } finally {
      this.#readers.delete(onRead)
    }
  }

  async #feed(caller: Caller, isFirst: boolean): Promise<void> {
    const { discoveries, dialogs } = this.#parts
    const engine = await this.engineOf(caller.project)
    const { signal } = this.#ending
    if (isFirst) await feedDiscoveries(caller, { engine, discoveries }, signal)
    if (!dialogs) return
    await feedDialogs(caller, { engine, discoveries, dialogs }, signal, () => {
      for (const onRead of this.#readers) onRead()
    })
  }

  #run(work: () => Promise<void>): Job {
    const job: { -readonly [K in keyof Job]: Job[K] } = {
      done: Promise.resolve(),
      isDone: false,
      endedMs: 0,
    }
    job.done = work()
      .catch((error: unknown) => {
        if (this.#ending.signal.aborted) return
        job.problem = error
        this.#warn(error)
      })
      .finally(() => {
        job.isDone = true
        job.endedMs = performance.now()
      })
    return job
  }

  #jobsOf(caller: Caller): Job[] {
    return [this.#indexing.get(caller.project), this.#feeding.get(keyOf(caller))].filter(
      (job) => job !== undefined,
    )
  }
}

function keyOf({ user, project }: Caller): string {
  return `${user}\0${project}`
}

/** Stops waiting when the signal aborts, and throws its reason. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}

async function within(work: Promise<unknown>, mostMs: number, signal: AbortSignal): Promise<void> {
  const timer = new AbortController()
  const stop = AbortSignal.any([timer.signal, signal])
  const timeout = wait(mostMs, undefined, { signal: stop, ref: false }).catch(() => undefined)
  await Promise.race([work, timeout])
  timer.abort()
  signal.throwIfAborted()
}

function isDue(job: Job | undefined, againAfterMs: number): boolean {
  if (!job) return true
  return (
    job.isDone &&
    performance.now() - job.endedMs >
      (job.problem === undefined ? againAfterMs : FAILED_AGAIN_AFTER_MS)
  )
}
