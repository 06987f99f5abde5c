import { randomUUID } from 'node:crypto'
import type { Log } from '@secretary-mcp/core/log.ts'
import { redactIn } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import { type Database, storedJson, totalOf } from '../../storage/database.ts'

/** A file untouched for longer than this many others is not at hand, however often it was read. */
const CANDIDATES = 500
const topics = z.array(z.string())

const FLUSH_AFTER_MS = 1_000
const MAX_TOPICS = 20
const MAX_FILES = 200

/** Whose knowledge it is and of which project: a person's own, or what a space has in common. */
export interface Owner extends Pick<Caller, 'user' | 'project'> {
  /** Id of the space; the user is then the one who asks. */
  readonly space?: string
}

export interface FileAccess {
  readonly path: string
  readonly count: number
  readonly firstAccessAt: string
  readonly lastAccessAt: string
  /** As of the moment of asking. */
  readonly score: number
}

export interface SessionFile {
  readonly path: string
  readonly count: number
  readonly first: string
  readonly last: string
}

/** One stretch of work of a person with the tools, as far as the tools see it. */
export interface Session {
  readonly id: string
  readonly client?: string
  readonly startedAt: string
  readonly lastActiveAt: string
  readonly endedAt?: string
  readonly calls: number
  /** What was searched for. */
  readonly topics: readonly string[]
  readonly files: readonly SessionFile[]
}

/** What the access log needs from storage. */
export interface AccessStore {
  /** Adds to the counts that are there. */
  addAccesses(owner: Owner, paths: ReadonlyMap<string, number>, now: string): Promise<void>
  /** Best score first, as of `now`. */
  topFiles(
    owner: Owner,
    limit: number,
    now: string,
  ): Promise<{ files: FileAccess[]; total: number }>
  putSession(owner: Owner, session: Session): Promise<void>
  /** The latest first. */
  recentSessions(owner: Owner, limit: number): Promise<Session[]>
}

export const IDLE_MS = 30 * 60_000
const ARCHIVED_AFTER_MS = 7 * 86_400_000

type SessionStatus = 'active' | 'completed' | 'archived'

/** Follows from the times alone, so nothing has to run for a session to come to its end. */
export function sessionStatus({ endedAt, lastActiveAt }: Session, nowMs: number): SessionStatus {
  const idleMs = nowMs - Date.parse(lastActiveAt)
  if (idleMs > ARCHIVED_AFTER_MS) return 'archived'
  return endedAt !== undefined || idleMs > IDLE_MS ? 'completed' : 'active'
}

const DAY_MS = 86_400_000

/** 0..1: how much an item is at hand, by how long ago and how often it was used. */
export function accessScore(count: number, lastAccessMs: number, nowMs: number): number {
  const days = Math.max(0, nowMs - lastAccessMs) / DAY_MS
  return 0.6 * Math.max(0, 1 - days / 30) + 0.4 * Math.min(count / 100, 1)
}

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
        ? [...session.topics.filter((known) => known !== topic), topic].slice(-MAX_TOPICS)
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
  ].slice(-MAX_FILES)
}

const sessionFiles: z.ZodType<SessionFile[]> = z.array(
  z.object({ path: z.string(), count: z.number(), first: z.string(), last: z.string() }),
)

export function createAccessStore(database: Database): AccessStore {
  return {
    async addAccesses({ user, project }, paths, now) {
      if (paths.size === 0) return
      const rows = [...paths].map(([path, count]) => ({
        user_id: user,
        project,
        path,
        count,
        first_access_at: now,
        last_access_at: now,
      }))
      await database.use((db) =>
        db
          .insertInto('file_accesses')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'project', 'path']).doUpdateSet((e) => ({
              count: e('file_accesses.count', '+', e.ref('excluded.count')),
              last_access_at: e.ref('excluded.last_access_at'),
            })),
          )
          .execute(),
      )
    },

    async topFiles({ user, project }, limit, now) {
      return database.use(async (db) => {
        const mine = db
          .selectFrom('file_accesses')
          .where('user_id', '=', user)
          .where('project', '=', project)
        const rows = await mine
          .selectAll()
          .orderBy('last_access_at', 'desc')
          .limit(CANDIDATES)
          .execute()
        const files = rows
          .map(
            (row): FileAccess => ({
              path: row.path,
              count: row.count,
              firstAccessAt: row.first_access_at,
              lastAccessAt: row.last_access_at,
              score: accessScore(row.count, Date.parse(row.last_access_at), Date.parse(now)),
            }),
          )
          .sort((a, b) => b.score - a.score || b.lastAccessAt.localeCompare(a.lastAccessAt))
        const total = await totalOf({ rows: rows.length, limit: CANDIDATES, offset: 0 }, () =>
          mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        )
        return { files: files.slice(0, limit), total }
      })
    },

    async putSession(
      { user, project },
      { id, client, startedAt, lastActiveAt, endedAt, calls, topics, files },
    ) {
      const row = {
        client: client ?? null,
        last_active_at: lastActiveAt,
        ended_at: endedAt ?? null,
        calls,
        topics: JSON.stringify(redactIn(topics)),
        files: JSON.stringify(files),
      }
      await database.use((db) =>
        db
          .insertInto('context_sessions')
          .values({ user_id: user, project, id, started_at: startedAt, ...row })
          .onConflict((conflict) => conflict.columns(['user_id', 'project', 'id']).doUpdateSet(row))
          .execute(),
      )
    },

    async recentSessions({ user, project }, limit) {
      const rows = await database.use((db) =>
        db
          .selectFrom('context_sessions')
          .selectAll()
          .where('user_id', '=', user)
          .where('project', '=', project)
          .orderBy('last_active_at', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.map(
        (row): Session => ({
          id: row.id,
          startedAt: row.started_at,
          lastActiveAt: row.last_active_at,
          calls: row.calls,
          topics: storedJson(row.topics, topics) ?? [],
          files: storedJson(row.files, sessionFiles) ?? [],
          ...(row.client ? { client: row.client } : {}),
          ...(row.ended_at ? { endedAt: row.ended_at } : {}),
        }),
      )
    },
  }
}
