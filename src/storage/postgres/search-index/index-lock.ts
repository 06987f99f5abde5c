import type { IndexLock } from '../../../context/search/index-store.ts'
import type { IndexConnection } from './connection.ts'

/** A holder on another machine, whose process ids mean nothing here. */
const ELSEWHERE = 0

export function postgresIndexLock({ project, run }: IndexConnection, host: string): IndexLock {
  async function findHolder(since: number): Promise<number | undefined> {
    const [row] = await run<{ pid: number; host: string }>(
      'select pid, host from search_indexing where project = $1 and heartbeat_ms >= $2',
      [project, since],
    )
    if (!row) return undefined
    return row.host === host ? row.pid : ELSEWHERE
  }
  return {
    async acquireLock(pid, nowMs, staleMs) {
      // One statement decides, so two processes can never both have it.
      await run(
        `insert into search_indexing (project, host, pid, heartbeat_ms) values ($1, $2, $3, $4)
         on conflict (project) do update set host = excluded.host, pid = excluded.pid, heartbeat_ms = excluded.heartbeat_ms
         where (search_indexing.pid = excluded.pid and search_indexing.host = excluded.host) or search_indexing.heartbeat_ms < $5`,
        [project, host, pid, nowMs, nowMs - staleMs],
      )
      return (await findHolder(nowMs - staleMs)) ?? pid
    },
    async releaseLock(pid) {
      await run('delete from search_indexing where project = $1 and pid = $2 and host = $3', [
        project,
        pid,
        host,
      ])
    },
    lockHolder: (nowMs, staleMs) => findHolder(nowMs - staleMs),
  }
}
