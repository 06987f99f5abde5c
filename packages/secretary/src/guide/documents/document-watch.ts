import type { Change } from '@secretary-mcp/core/changes.ts'
import { FolderWatch } from '@secretary-mcp/core/folder-watch.ts'
import { documentUri } from '../document-path.ts'
import type { Library, Survey } from './library.ts'

const MOST_PROJECTS = 20
const MOST_FOLDERS = 500
/** More at once is a checkout, not an edit: one notice stands for all of them. */
const MOST_NAMED = 50

/** Announces documents that somebody changed on disk, in the projects whose guide is in use. */
export class DocumentWatch {
  readonly #library: Library
  readonly #announce: (change: Change) => void
  readonly #seen = new Map<string, Survey>()
  readonly #folders = new FolderWatch(() => {
    try {
      this.#look()
    } catch {
      // What cannot be looked at is told to whoever asks for it next; there is nobody to tell here.
    }
  })

  constructor(library: Library, announce: (change: Change) => void) {
    this.#library = library
    this.#announce = announce
  }

  follow(project: string): void {
    if (this.#seen.has(project)) return
    const [oldest] = this.#seen.keys()
    if (this.#seen.size >= MOST_PROJECTS && oldest !== undefined) this.#seen.delete(oldest)
    this.#seen.set(project, this.#library.survey(project))
    this.#followFolders()
  }

  close(): void {
    this.#folders.close()
  }

  #look(): void {
    const changed = new Set<string>()
    for (const [project, before] of this.#seen) {
      const now = this.#library.survey(project)
      this.#seen.set(project, now)
      // A new one too: it may have been listed, read and changed again before this look.
      for (const [path, stamp] of now.stamps)
        if (before.stamps.get(path) !== stamp) changed.add(path)
    }
    if (changed.size > MOST_NAMED) this.#announce({ kind: 'resources' })
    else for (const path of changed) this.#announce({ kind: 'resource', uri: documentUri(path) })
    this.#followFolders()
  }

  #followFolders(): void {
    const folders = [...this.#seen.values()].flatMap((survey) => survey.folders)
    this.#folders.follow([...new Set(folders)].slice(0, MOST_FOLDERS))
  }
}
