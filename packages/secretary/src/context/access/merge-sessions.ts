import type { Session, SessionFile } from './access-store.ts'
import { sessionStatus } from './session-status.ts'

/** One person's work that several servers have answered, as one session under the oldest one's id. */
export function mergeSessions(own: Session, stored: readonly Session[], nowMs: number): Session {
  const others = stored.filter(
    (session) =>
      session.id !== own.id &&
      session.client === own.client &&
      sessionStatus(session, nowMs) === 'active',
  )
  const all = [...others, own].sort((a, b) => a.startedAt.localeCompare(b.startedAt))
  const [first = own] = all
  return {
    ...own,
    id: first.id,
    startedAt: first.startedAt,
    lastActiveAt: all.map(({ lastActiveAt }) => lastActiveAt).reduce(later),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    topics: [...new Set(all.flatMap(({ topics }) => topics))],
    files: mergeFiles(all.flatMap(({ files }) => files)),
  }
}

function mergeFiles(files: readonly SessionFile[]): SessionFile[] {
  const merged = new Map<string, SessionFile>()
  for (const file of files) {
    const known = merged.get(file.path)
    merged.set(file.path, known ? added(known, file) : file)
  }
  return [...merged.values()].sort((a, b) => a.last.localeCompare(b.last))
}

function added(one: SessionFile, other: SessionFile): SessionFile {
  return {
    path: one.path,
    count: one.count + other.count,
    first: one.first < other.first ? one.first : other.first,
    last: later(one.last, other.last),
  }
}

function later(one: string, other: string): string {
  return one > other ? one : other
}
