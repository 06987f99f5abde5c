import { relative, sep } from 'node:path'
import { watch } from 'chokidar'
import type { Log } from '../../core/log.ts'
import { createProjectFilter } from './project-filter.ts'

/** Editors write a file in several steps; a change is taken up when it has been quiet for this long. */
const QUIET_MS = 120
/** The database may be down or the disk full: nobody tells of the same change twice, so it is taken up again. */
const AGAIN_AFTER_MS = 5_000

export interface ProjectWatcher {
  /** Looks at everything soon, as if anything might have changed. */
  lookAgain(): void
  close(): Promise<void>
}

/** Calls back with the paths that changed; undefined means that the rules themselves changed and everything must be looked at. */
export async function watchProject(
  root: string,
  onChange: (paths: readonly string[] | undefined) => Promise<void>,
  log: Log,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<ProjectWatcher> {
  const filter = createProjectFilter(root)
  await filter.enter('')
  const changed = new Set<string>()
  let rulesChanged = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()

  const toPath = (absolute: string) => relative(root, absolute).split(sep).join('/')
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (absolute, stats) => {
      const path = toPath(absolute)
      if (path === '' || path.endsWith('.gitignore')) return false
      return stats?.isFile() ? !filter.keepsFile(path) : !filter.keepsFolder(path)
    },
  })
  watcher.on('all', (event, absolute) => {
    const path = toPath(absolute)
    if (path.endsWith('.gitignore')) rulesChanged = true
    else if (event === 'add' || event === 'change' || event === 'unlink') changed.add(path)
    else return
    flushAfter(QUIET_MS)
  })
  watcher.on('error', (error) => log.warn({ error: String(error) }, 'watching the project failed in part'))
  await new Promise<void>((ready) => watcher.once('ready', () => ready()))

  return {
    lookAgain,
    async close() {
      closed = true
      clearTimeout(timer)
      await watcher.close()
      await working
    },
  }

  function flushAfter(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(flush, delayMs)
    if (delayMs > QUIET_MS) timer.unref()
  }

  function lookAgain(): void {
    if (closed) return
    rulesChanged = true
    flushAfter(againAfterMs)
  }

  function flush(): void {
    const paths = rulesChanged ? undefined : [...changed].filter((path) => filter.keepsFile(path))
    changed.clear()
    rulesChanged = false
    if (paths?.length === 0) return
    working = working
      .then(() => onChange(paths))
      .catch((error: unknown) => {
        log.warn({ error: String(error) }, 'changed files could not be indexed; they are tried again')
        lookAgain()
      })
  }
}
