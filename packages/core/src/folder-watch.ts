import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'

const DEBOUNCE_MS = 250

/** Says, a moment later, that something changed in one of the folders it follows. None of this keeps a process alive. */
export class FolderWatch {
  readonly #changed: () => void
  readonly #watchers = new Map<string, FSWatcher>()
  #waiting?: NodeJS.Timeout
  #closed = false

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** These folders from now on, and no others. What changed in a new one before it was followed is told as well. */
  follow(folders: Iterable<string>): void {
    if (this.#closed) return
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers)
      if (!wanted.has(folder)) this.#forget(folder, watcher)
    const unseen = [...wanted].filter((folder) => !this.#watchers.has(folder))
    for (const folder of unseen) this.#observe(folder)
    if (unseen.some((folder) => this.#watchers.has(folder))) this.tell()
  }

  /** As if something had changed. Whoever writes without pause must not put it off for ever: the first event sets the time. */
  tell(): void {
    if (this.#closed) return
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined
      this.#changed()
    }, DEBOUNCE_MS).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#waiting)
    for (const [folder, watcher] of this.#watchers) this.#forget(folder, watcher)
  }

  #observe(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // Its own name: the folder was removed or moved. One that takes its place has to be watched again.
        if (event === 'rename' && name === basename(folder)) this.#forget(folder, watcher)
        this.tell()
      })
      watcher.on('error', () => this.#forget(folder, watcher))
      this.#watchers.set(folder, watcher)
    } catch {
      // Gone, or the system's limit of watchers is reached: what is there is seen by whoever looks next.
    }
  }

  #forget(folder: string, watcher: FSWatcher): void {
    watcher.close()
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder)
  }
}
