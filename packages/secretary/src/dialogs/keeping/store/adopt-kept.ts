import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  closeSqliteFile,
  removeSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import { type DialogClaim, isClaimed } from '../kept-store.ts'
import { openKept } from './open-kept.ts'

const NAMED = 'key IN (SELECT value FROM json_each(?))'

export interface Unowned {
  /** The file of an earlier version, in which the dialogs of all users are. */
  readonly path: string
  claims(keys: readonly string[]): Promise<readonly DialogClaim[]>
}

/**
 * Takes what is the user's out of a file without an owner. What another user may claim as well stays there for them. A copy is on
 * the disk before anything is removed, so a process that is killed has only to begin again.
 */
export async function adoptKept(
  own: DatabaseSyncInstance,
  { path, claims }: Unowned,
  log: Log,
): Promise<void> {
  // What is in memory is gone with the process.
  if (own.location() === null || !existsSync(path)) return
  const before = await openKept(path, log)
  let isEmpty = false
  try {
    if (before.location() === null) return
    const judged = await claims(keysIn(before))
    const taken = judged.filter(isClaimed)
    const marks = judged.filter((claim) => isClaimed(claim) || !claim.isOthers)
    const wanted = taken.filter(({ mine }) => mine !== 'removed')
    const sole = taken.filter(({ isOthers }) => !isOthers)
    own.prepare('ATTACH ? AS unowned').run(path)
    try {
      own.exec('PRAGMA main.synchronous = FULL')
      await inTransaction(own, () => {
        own
          .prepare(`INSERT OR IGNORE INTO forgotten SELECT * FROM unowned.forgotten WHERE ${NAMED}`)
          .run(keysOf(marks))
        own
          .prepare(
            `INSERT OR IGNORE INTO kept SELECT * FROM unowned.kept
             WHERE ${NAMED} AND key NOT IN (SELECT key FROM forgotten)`,
          )
          .run(keysOf(wanted))
      })
    } finally {
      own.exec('PRAGMA main.synchronous = NORMAL; DETACH unowned')
    }
    await inTransaction(before, () => {
      for (const table of ['kept', 'forgotten'])
        before.prepare(`DELETE FROM ${table} WHERE ${NAMED}`).run(keysOf(sole))
    })
    isEmpty = keysIn(before).length === 0
  } finally {
    closeSqliteFile(before)
  }
  if (isEmpty) removeSqliteFile(path)
}

/** From a file without an owner, where what is forgotten was left for others. */
export async function forgetUnowned(
  path: string,
  keys: readonly string[],
  log: Log,
): Promise<void> {
  if (!existsSync(path)) return
  const before = await openKept(path, log)
  try {
    if (before.location() === null) throw notForgotten()
    const drop = before.prepare(`DELETE FROM kept WHERE ${NAMED}`)
    await whileBusy(() => drop.run(JSON.stringify(keys)))
  } finally {
    closeSqliteFile(before)
  }
}

/** What is in the file would be shown again by the next process. */
export function notForgotten(): Failure {
  return new Failure(
    'storage_unavailable',
    'The kept dialogs could not be opened, so nothing was forgotten; check SECRETARY_HOME and the disk',
  )
}

function keysIn(db: DatabaseSyncInstance): string[] {
  const all = db.prepare('SELECT key FROM kept UNION SELECT key FROM forgotten')
  return rowsOf<{ key: string }>(all).map(({ key }) => key)
}

function keysOf(claims: readonly DialogClaim[]): string {
  return JSON.stringify(claims.map(({ key }) => key))
}

async function inTransaction(db: DatabaseSyncInstance, work: () => void): Promise<void> {
  await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    // On a full disk SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
