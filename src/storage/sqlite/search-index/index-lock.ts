import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { IndexLock } from '../../../search/index-store.ts'

export function sqliteIndexLock(db: DatabaseSyncInstance): IndexLock {
  // One statement decides, so two processes can never both have it.
  const acquire = db.prepare(
    `INSERT INTO indexing (one, pid, heartbeat_ms) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET pid = excluded.pid, heartbeat_ms = excluded.heartbeat_ms
     WHERE indexing.pid = excluded.pid OR indexing.heartbeat_ms < ?`,
  )
  const release = db.prepare('DELETE FROM indexing WHERE pid = ?')
  const holder = db.prepare('SELECT pid FROM indexing WHERE heartbeat_ms >= ?')
  const findHolder = (since: number) => (holder.get(since) as { pid: number } | undefined)?.pid
  return {
    async acquireLock(pid, nowMs, staleMs) {
      acquire.run(pid, nowMs, nowMs - staleMs)
      return findHolder(nowMs - staleMs) ?? pid
    },
    releaseLock: async (pid) => void release.run(pid),
    lockHolder: async (nowMs, staleMs) => findHolder(nowMs - staleMs),
  }
}
