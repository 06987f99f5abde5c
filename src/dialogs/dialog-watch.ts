import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { DialogIndex } from './dialog-index.ts'

const MOST_FOLDERS = 200
const DEBOUNCE_MS = 250
const LONGEST_SCAN_MS = 600_000
/** Catches what no watcher saw, such as the first dialog in a new folder. */
const EVERY_MS = 15_000

/** Keeps the index in step with the disk until it is stopped. None of this keeps a process alive. */
export function watchDialogs(index: DialogIndex): () => void {
  const watchers = new Map<string, FSWatcher>()
  let stopped = false
  let waiting: NodeJS.Timeout | undefined

  const refresh = async () => {
    waiting = undefined
    index.invalidate()
    // A failing database is told to whoever asks next; there is nobody to tell here.
    await index.refresh(LONGEST_SCAN_MS).catch(() => {})
    // The scan that was joined may have listed the disk before the change.
    if (index.isStale) later()
    if (!stopped) follow()
  }
  // An agent that writes without pause must not put it off for ever: the first event sets the time.
  const later = () => {
    if (!stopped) waiting ??= setTimeout(refresh, DEBOUNCE_MS).unref()
  }
  const follow = () => {
    const wanted = new Set(foldersOf(index.paths))
    for (const [folder, watcher] of watchers) if (!wanted.has(folder)) forget(folder, watcher)
    const unseen = [...wanted].filter((folder) => !watchers.has(folder))
    for (const folder of unseen) observe(folder)
    // What changed there after the listing and before the watcher would go unnoticed.
    if (unseen.some((folder) => watchers.has(folder))) later()
  }
  const forget = (folder: string, watcher: FSWatcher) => {
    watcher.close()
    watchers.delete(folder)
  }
  const observe = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, later)
      watcher.on('error', () => forget(folder, watcher))
      watchers.set(folder, watcher)
    } catch {
      // Gone, or the system's limit of watchers is reached: the timer still looks there.
    }
  }

  const timer = setInterval(refresh, EVERY_MS).unref()
  void refresh()
  return () => {
    stopped = true
    clearTimeout(waiting)
    clearInterval(timer)
    for (const [folder, watcher] of watchers) forget(folder, watcher)
  }
}

/** The folders of the newest files, and those above them, where the next dialog will appear. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = [...new Set(paths.map((path) => dirname(path)))].slice(0, MOST_FOLDERS / 2)
  return [...new Set(folders.flatMap((folder) => [folder, dirname(folder)]))]
}
