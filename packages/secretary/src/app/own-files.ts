import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { ownFolder } from '@secretary-mcp/core/files/own-folder.ts'

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
