import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { IndexLock } from '../index-store.ts'

export function sqliteIndexLock(db: DatabaseSyncInstance): IndexLock {
  // One statement decides, so two processes can never both have it.
  const acquire = db.prepare(
    `INSERT INTO indexing (one, pid, heartbeat_ms) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET pid = excluded.pid, heartbeat_ms = excluded.heartbeat_ms
     WHERE indexing.pid = excluded.pid OR indexing.heartbeat_ms NOT BETWEEN ? AND ?`,
  )
  const release = db.prepare('DELETE FROM indexing WHERE pid = ?')
  const holder = db.prepare('SELECT pid FROM indexing WHERE heartbeat_ms BETWEEN ? AND ?')
  // A sign of life from the future was given before the clock was set back.
  const valid = (nowMs: number, staleMs: number) => [nowMs - staleMs, nowMs + staleMs] as const
  const findHolder = (nowMs: number, staleMs: number) =>
    (holder.get(...valid(nowMs, staleMs)) as { pid: number } | undefined)?.pid
  return {
    async acquireLock(pid, nowMs, staleMs) {
      acquire.run(pid, nowMs, ...valid(nowMs, staleMs))
      return findHolder(nowMs, staleMs) ?? pid
    },
    releaseLock: async (pid) => void release.run(pid),
    lockHolder: async (nowMs, staleMs) => findHolder(nowMs, staleMs),
  }
}
