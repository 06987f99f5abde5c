import { type FSWatcher, statSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasMarksOfBareRepository } from '@secretary-mcp/core/files/bare-repository.ts'

export interface TreeWatch {
  /** Watches a folder and what is kept of those below, also of one that is watched already. */
  follow(folder: string): Promise<void>
  has(folder: string): boolean
  /** Whether another folder has taken the place of the watched one, or one has appeared where none was: its handle reports nothing. */
  isReplaced(folder: string): boolean
  /** Stops watching a folder and everything below. */
  forget(folder: string): void
  close(): void
}

export interface TreeListener {
  /** A folder has a .gitignore: told before its entries are asked about. */
  enter(folder: string): void
  keeps(folder: string): boolean
  /** A path with forward slashes came, changed or went. */
  changed(path: string): void
  failed(error: unknown): void
}

/**
 * One handle for each folder and none for its files: twenty thousand files cost as much as their folders. Paths are relative to the
 * root; the root itself is the empty path.
 */
export function watchTree(root: string, listener: TreeListener): TreeWatch {
  const watchers = new Map<string, FSWatcher>()
  const identities = new Map<string, string>()
  let isClosed = false

  return {
    follow,
    has: (folder) => watchers.has(folder),
    isReplaced: (folder) => {
      const there = identityOf(join(root, folder))
      return there !== undefined && there !== identities.get(folder)
    },
    forget,
    close() {
      isClosed = true
      for (const folder of [...watchers.keys()]) forget(folder)
    },
  }

  async function follow(folder: string): Promise<void> {
    if (isClosed) return
    observe(folder)
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    const names = entries.map(({ name }) => name)
    if (hasMarksOfBareRepository(names)) return forget(folder)
    if (names.includes('.gitignore')) listener.enter(folder)
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (entry.isDirectory() && listener.keeps(path)) await follow(path)
    }
  }

  function observe(folder: string): void {
    // Deleted and made again, or swapped with another: the handle still belongs to the old one.
    const identity = identityOf(join(root, folder))
    if (watchers.has(folder) && identities.get(folder) === identity) return
    forget(folder)
    try {
      const watcher = watch(join(root, folder), (_event, name) => {
        if (name !== null) listener.changed(below(folder, name))
      })
      watcher.on('error', (error) => {
        // A folder that was deleted is told by the one above it.
        if (folder === '') listener.failed(error)
        forget(folder)
      })
      watchers.set(folder, watcher)
      if (identity !== undefined) identities.set(folder, identity)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') listener.failed(error)
    }
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && folder !== '' && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
      identities.delete(path)
    }
  }
}

/** A number may be given to a new folder at once, but not at the same moment. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}/${found.ino}/${found.birthtimeNs}`
}

function below(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name
}
