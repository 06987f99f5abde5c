import { rmSync, statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { indexDamaged } from '../index-damage.ts'
import { sqliteFailure } from '@secretary-mcp/core/sqlite/sqlite-failure.ts'
import { whileBusy } from '@secretary-mcp/core/sqlite/while-busy.ts'

export type Guard = <T extends object>(part: T) => T

/**
 * Damage shows when a page is first read, long after opening. Then the file is thrown away, so that whoever opens it next starts
 * over; every later call through this connection says the same.
 */
export function throwAwayDamaged(db: DatabaseSyncInstance, log: Log): Guard {
  const path = db.location()
  const opened = path === null ? undefined : fileNumber(path)
  let damage: Failure | undefined

  function seen(error: unknown): unknown {
    const failure = sqliteFailure(error, path ?? '')
    if (!(failure instanceof Failure) || failure.errorType !== 'storage_corrupt') return failure
    damage = indexDamaged(error)
    log.warn({ path, error: String(error) }, 'the search index is damaged and will be rebuilt')
    db.close()
    // Another process may have put a sound one in its place.
    if (path !== null && fileNumber(path) === opened)
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return damage
  }

  function guarded(call: (...given: unknown[]) => unknown) {
    return async (...given: unknown[]) => {
      if (damage) throw damage
      try {
        // Each call is one transaction, so that a failed one can be tried again.
        return await whileBusy(() => call(...given))
      } catch (error) {
        throw seen(error)
      }
    }
  }

  return <T extends object>(part: T) =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'function' ? guarded(value) : value,
      ]),
    ) as T
}

/** Says so when a file was deleted or replaced while it was open: what others write into the new one would never be seen here. */
export function refuseReplaced(db: DatabaseSyncInstance): () => void {
  const path = db.location()
  const opened = path === null ? undefined : fileNumber(path)
  return () => {
    if (path !== null && fileNumber(path) !== opened)
      throw indexDamaged(new Error(`${path} was removed or replaced`))
  }
}

function fileNumber(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
