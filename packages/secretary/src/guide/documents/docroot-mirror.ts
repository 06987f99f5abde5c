import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentWriter } from './writer.ts'

export interface StoredDocument {
  readonly path: string
  readonly content: string
  readonly isRemoved: boolean
  /** Another one for every writing. */
  readonly stamp: string
  readonly date: string
}

/** Documents that several servers have in common. */
export interface DocumentStore {
  /** Rises with every writing. */
  version(): Promise<number>
  all(): Promise<StoredDocument[]>
  /** False where there is one of that name. */
  create(path: string, content: string, author: string): Promise<boolean>
  put(path: string, content: string, author: string): Promise<void>
  /** False where there is none of that name. */
  remove(path: string, author: string): Promise<boolean>
}

const CLOCKS_DIFFER_MS = 5_000

/** What the servers have in common, as files of this one's docroot: whoever reads documents reads files. */
export class DocrootMirror {
  readonly store: DocumentStore
  readonly #writer: DocumentWriter
  readonly #stamps = new Map<string, string>()
  #version?: number
  #pulling: Promise<void> = Promise.resolve()

  constructor(store: DocumentStore, docroot: string) {
    this.store = store
    this.#writer = new DocumentWriter(docroot)
  }

  /** Brings the files to what the store has now; one question where nothing changed. */
  pull(): Promise<void> {
    const next = this.#pulling.catch(() => {}).then(() => this.#pull())
    this.#pulling = next
    return next
  }

  async #pull(): Promise<void> {
    const version = await this.store.version()
    if (version === this.#version) return
    for (const { path, content, isRemoved, stamp, date } of await this.store.all()) {
      const known = this.#stamps.get(path)
      this.#stamps.set(path, stamp)
      // What somebody put there by hand since, while no server of ours ran, is not overwritten.
      if (known === stamp || (known === undefined && this.#isNewer(path, date))) continue
      if (isRemoved) await this.#writer.remove(path)
      else await this.#writer.replace(path, content)
    }
    this.#version = version
  }

  #isNewer(path: string, date: string): boolean {
    const found = statSync(join(this.#writer.root, path), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs > Date.parse(date) + CLOCKS_DIFFER_MS
  }
}
