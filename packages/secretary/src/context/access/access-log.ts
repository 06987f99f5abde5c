import { randomUUID } from 'node:crypto'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type AccessStore, IDLE_MS, type Owner, type Session, type SessionFile } from './access.ts'

interface Use {
  readonly file?: string
  readonly topic?: string
}

interface Running {
  readonly owner: Owner
  session: Session
  /** Not yet in the store. */
  readonly pending: Map<string, number>
  isChanged: boolean
}

const FLUSH_AFTER_MS = 1_000
const MOST_TOPICS = 20
const MOST_FILES = 200

/** Counts uses in memory and writes them a moment later: a read never waits for its own bookkeeping. */
export class AccessLog {
  readonly #running = new Map<string, Running>()
  readonly #store: AccessStore
  readonly #log: Log
  readonly #now: () => Date
  #timer?: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: AccessStore, log: Log, now: () => Date = () => new Date()) {
    this.#store = store
    this.#log = log
    this.#now = now
  }

  record(caller: Caller, { file, topic }: Use): void {
    const running = this.#runningOf(caller)
    const now = this.#now().toISOString()
    const { session } = running
    if (file) running.pending.set(file, (running.pending.get(file) ?? 0) + 1)
    running.session = {
      ...session,
      lastActiveAt: now,
      calls: session.calls + 1,
      topics: topic
        ? [...session.topics.filter((known) => known !== topic), topic].slice(-MOST_TOPICS)
        : session.topics,
      files: file ? withFile(session.files, file, now) : session.files,
    }
    running.isChanged = true
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS).unref()
  }

  currentSession(caller: Caller): Session {
    return this.#runningOf(caller).session
  }

  /** What could not be written stays for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    const now = this.#now().toISOString()
    for (const running of this.#running.values())
      if (running.isChanged) running.session = { ...running.session, endedAt: now }
    await this.flush()
  }

  async #write(): Promise<void> {
    for (const running of this.#running.values()) {
      if (!running.isChanged) continue
      const taken = new Map(running.pending)
      running.pending.clear()
      running.isChanged = false
      try {
        await this.#store.addAccesses(running.owner, taken, this.#now().toISOString())
        taken.clear()
        await this.#store.putSession(running.owner, running.session)
      } catch (error) {
        for (const [path, count] of taken)
          running.pending.set(path, (running.pending.get(path) ?? 0) + count)
        running.isChanged = true
        this.#log.warn({ err: error }, 'uses could not be written yet')
      }
    }
  }

  #runningOf({ user, project, session: id, client }: Caller): Running {
    const key = `${user}\0${project}\0${id ?? ''}`
    const known = this.#running.get(key)
    const now = this.#now()
    if (known && now.getTime() - Date.parse(known.session.lastActiveAt) <= IDLE_MS) return known
    const at = now.toISOString()
    const session = {
      id: known || !id ? randomUUID() : id,
      client,
      startedAt: at,
      lastActiveAt: at,
      calls: 0,
      topics: [],
      files: [],
    }
    const running: Running = {
      owner: { user, project },
      session,
      pending: new Map(known?.pending),
      isChanged: false,
    }
    this.#running.set(key, running)
    return running
  }
}

function withFile(files: readonly SessionFile[], path: string, now: string): SessionFile[] {
  const known = files.find((file) => file.path === path)
  const rest = files.filter((file) => file !== known)
  return [
    ...rest,
    { path, count: (known?.count ?? 0) + 1, first: known?.first ?? now, last: now },
  ].slice(-MOST_FILES)
}
