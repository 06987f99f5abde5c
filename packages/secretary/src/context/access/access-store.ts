import type { Owner } from '../owner.ts'

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
