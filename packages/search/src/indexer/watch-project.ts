import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@secretary-mcp/core/log.ts'
import { createProjectFilter } from './project-filter.ts'
import { watchTree } from './watch-tree.ts'

/** Editors write a file in several steps; a change is taken up when it has been quiet for this long. */
const QUIET_MS = 120
/** Whoever writes without pause must not put it off for ever. */
const LONGEST_WAIT_MS = 2_000
/** More than these at once are a checkout or a build: then a look at everything is cheaper. */
const MOST_PATHS = 100
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
    timer = setTimeout(flush, Math.max(0, Math.min(QUIET_MS, firstMs + LONGEST_WAIT_MS - now)))
  }

  function flush(): void {
    const paths = changed
    changed = new Set()
    then(async () => {
      const files = await filesAmong(paths)
      if (files?.length !== 0)
        await onChange(files && files.length <= MOST_PATHS ? files : undefined)
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
