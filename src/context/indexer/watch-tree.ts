import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface TreeWatch {
  /** Watches a folder and what is kept of those below, also of one that is watched already. */
  follow(folder: string): Promise<void>
  has(folder: string): boolean
  /** Stops watching a folder and everything below. */
  forget(folder: string): void
  close(): void
}

export interface TreeListener {
  /** A folder has a .gitignore: told before its entries are asked about. */
  enter(folder: string): Promise<void>
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
  let isClosed = false

  return {
    follow,
    has: (folder) => watchers.has(folder),
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
    if (entries.some(({ name }) => name === '.gitignore')) await listener.enter(folder)
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (entry.isDirectory() && listener.keeps(path)) await follow(path)
    }
  }

  function observe(folder: string): void {
    if (watchers.has(folder)) return
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
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') listener.failed(error)
    }
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && folder !== '' && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
}

function below(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name
}
