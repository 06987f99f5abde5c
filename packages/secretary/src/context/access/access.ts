import type { Caller } from '@secretary-mcp/core/tool.ts'

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
