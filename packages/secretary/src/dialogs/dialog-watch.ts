import { dirname } from 'node:path'
import { FolderWatch } from '@secretary-mcp/core/folder-watch.ts'
import type { DialogIndex } from './dialog-index.ts'

const MOST_FOLDERS = 200
const LONGEST_SCAN_MS = 600_000
/** Catches what no watcher saw, such as the first dialog in a new folder. */
const EVERY_MS = 15_000
/** The first call of a fresh server goes before the first scan. */
const FIRST_AFTER_MS = 1_000

/** Keeps the index in step with the disk until it is stopped. None of this keeps a process alive. */
export function watchDialogs(index: DialogIndex): () => void {
  const refresh = async () => {
    index.invalidate()
    // A failing database is told to whoever asks next; there is nobody to tell here.
    await index.refresh(LONGEST_SCAN_MS).catch(() => {})
    // The scan that was joined may have listed the disk before the change.
    if (index.isStale) folders.tell()
    folders.follow(foldersOf(index.paths))
  }
  const folders = new FolderWatch(() => void refresh())
  const timer = setInterval(refresh, EVERY_MS).unref()
  const first = setTimeout(refresh, FIRST_AFTER_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
    folders.close()
  }
}

/** The folders of the newest files, and those above them, where the next dialog will appear. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = [...new Set(paths.map((path) => dirname(path)))].slice(0, MOST_FOLDERS / 2)
  return [...new Set(folders.flatMap((folder) => [folder, dirname(folder)]))]
}
