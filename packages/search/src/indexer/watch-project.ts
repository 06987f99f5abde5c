import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasMarksOfBareRepository } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { createProjectFilter } from './project-files.ts'

/** Editors write a file in several steps; a change is taken up when it has been quiet for this long. */
const QUIET_MS = 120
/** Whoever writes without pause must not put it off for ever. */
const MAX_WAIT_MS = 2_000
/** More than these at once are a checkout or a build: then a look at everything is cheaper. */
const MAX_PATHS = 100
/** The database may be down or the disk full: nobody tells of the same change twice, so it is taken up again. */
const AGAIN_AFTER_MS = 5_000
/** Nobody tells that the project's own folder was deleted, made again or replaced by another clone. */
const ROOT_EVERY_MS = 2_000

export interface ProjectWatcher {
  /** Looks at everything soon, as if anything might have changed. */
  lookAgain(): void
  close(): Promise<void>
}

/** Calls back with the paths that changed; undefined means that everything must be looked at. */
export async function watchProject(
  root: string,
  onChange: (paths: readonly string[] | undefined) => Promise<void>,
  log: Log,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<ProjectWatcher> {
  let filter = createProjectFilter(root)
  let changed = new Set<string>()
  let firstMs = 0
  let timer: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  let isClosed = false
  let working: Promise<void> = Promise.resolve()
  let hasFailed = false
  const tree = watchTree(root, {
    enter: (folder) => filter.enter(folder),
    keeps: (folder) => filter.keepsFolder(folder),
    changed: note,
    failed(error) {
      // The system's limit of watchers, once reached, fails for every folder that is left.
      if (!hasFailed)
        log.warn(
          { error: String(error) },
          'part of the project cannot be watched: some changes will be noticed at the next start',
        )
      hasFailed = true
    },
  })
  await tree.follow('')
  const rootTimer = setInterval(() => {
    if (tree.isReplaced('')) then(lookAtNewRoot)
  }, ROOT_EVERY_MS).unref()

  return {
    lookAgain,
    async close() {
      isClosed = true
      clearTimeout(timer)
      clearTimeout(again)
      clearInterval(rootTimer)
      tree.close()
      await working
    },
  }

  function note(path: string): void {
    const now = Date.now()
    if (changed.size === 0) firstMs = now
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(0, Math.min(QUIET_MS, firstMs + MAX_WAIT_MS - now)))
  }

  function flush(): void {
    const paths = changed
    changed = new Set()
    then(async () => {
      const files = await filesAmong(paths)
      if (files?.length !== 0)
        await onChange(files && files.length <= MAX_PATHS ? files : undefined)
    })
  }

  async function lookAtNewRoot(): Promise<void> {
    if (!tree.isReplaced('')) return
    filter = createProjectFilter(root)
    await tree.follow('')
    await onChange(undefined)
  }

  function lookAgain(): void {
    if (isClosed) return
    clearTimeout(again)
    again = setTimeout(() => then(() => onChange(undefined)), againAfterMs).unref()
  }

  /** One thing after the other. */
  function then(work: () => Promise<void>): void {
    working = working.then(work).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'changed files could not be indexed; they are tried again')
      lookAgain()
    })
  }

  /** Undefined where more than the named paths is concerned: a folder came or went, or the rules of what to leave out changed. */
  async function filesAmong(paths: Iterable<string>): Promise<string[] | undefined> {
    const files: string[] = []
    let isMore = false
    for (const path of paths) {
      if (path === '.gitignore' || path.endsWith('/.gitignore')) {
        filter = createProjectFilter(root)
        await tree.follow('')
        isMore = true
      } else if (isFolder(path)) {
        if (!filter.keepsFolder(path)) continue
        await tree.follow(path)
        isMore = true
      } else if (tree.has(path)) {
        tree.forget(path)
        isMore = true
      } else if (filter.keepsFile(path)) files.push(path)
    }
    return isMore ? undefined : files
  }

  function isFolder(path: string): boolean {
    return lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  }
}

interface TreeWatch {
  /** Watches a folder and what is kept of those below, also of one that is watched already. */
  follow(folder: string): Promise<void>
  has(folder: string): boolean
  /** Whether another folder has taken the place of the watched one, or one has appeared where none was: its handle reports nothing. */
  isReplaced(folder: string): boolean
  /** Stops watching a folder and everything below. */
  forget(folder: string): void
  close(): void
}

interface TreeListener {
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
function watchTree(root: string, listener: TreeListener): TreeWatch {
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
