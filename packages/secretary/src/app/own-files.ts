import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'

/** Files that one user has in SECRETARY_HOME; `unowned` is where earlier versions had them, for all users of it together. */
export function ownFiles({ home, user }: Pick<Config, 'home' | 'user'>) {
  const folder = ownFolder(home, user)
  return { folder, ...filesIn(folder), unowned: filesIn(home) }
}

function filesIn(folder: string) {
  return {
    deeds: join(folder, 'deeds.db'),
    kept: join(folder, 'kept.db'),
    syncState: join(folder, 'sync.db'),
    prices: join(folder, 'prices.json'),
    sameProjects: join(folder, 'same-projects.json'),
    syncCheckout: join(folder, 'sync-git'),
  }
}

/** In lower case and without dots, so that no file system takes two of them for one, or for a way out. */
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,39}$/
/** Windows opens a device under these names, in any folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
const MAX_HINT = 40

/**
 * What one user alone has in SECRETARY_HOME: their deeds, kept dialogs and the state of their syncing. A folder for each, so
 * that no query can forget whose it is.
 */
export function ownFolder(home: string, user: string): string {
  return join(home, 'users', folderName(user))
}

/** The user's name where that is plain; otherwise a hint at it and a hash, with a sign between them that no plain name has. */
function folderName(user: string): string {
  if (PLAIN.test(user) && !DEVICE.test(user)) return user
  const hint = user
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_HINT)
  return `${hint}~${createHash('sha256').update(user).digest('hex').slice(0, 32)}`
}
