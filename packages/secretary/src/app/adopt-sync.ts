import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { hasOtherUsers } from '../dialogs/store/dialog-store.ts'
import type { Database } from '../storage/database.ts'
import { holdLock } from '../sync/store/sqlite-sync-state.ts'
import { underWay } from '../sync/sync-failures.ts'
import { ownFiles } from './own-files.ts'

const SETTINGS = 'sync.json'
/** The settings last: as long as they are where they were, whatever a killed process left is moved too. */
const NAMES = ['sync.db', 'sync.db-wal', 'sync.db-shm', 'sync-git', SETTINGS]

/**
 * Earlier versions had one set of settings for all users of SECRETARY_HOME. They become the user's where nobody else is known
 * here; elsewhere they stay, and everybody sets up their own.
 */
export async function adoptSync(config: Config, database: Database): Promise<void> {
  const { home, user } = config
  const { folder, unowned } = ownFiles(config)
  if (!existsSync(join(home, SETTINGS)) || existsSync(join(folder, SETTINGS))) return
  if (await hasOtherUsers(database, { user, host: hostname() })) return
  const lock = await holdLock(`${unowned.syncState}-lock`)
  if (!lock) throw underWay()
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of NAMES)
      if (existsSync(join(home, name))) renameSync(join(home, name), join(folder, name))
  } finally {
    await lock.release()
  }
}
