import { createHash } from 'node:crypto'
import { type Stats, statSync } from 'node:fs'
import { relative } from 'node:path'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import { type DocumentFile, LARGEST_DOCUMENT } from './document.ts'

const MAX_ENTRIES = 20_000
/** Stands for a file that is too large or cannot be read: nothing of it is shown, and once it can be read it is another one. */
const UNREADABLE = 'unreadable'

export function digestOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? UNREADABLE : createHash('sha256').update(bytes).digest('hex')
}

export function readDocument({ root, absolute }: DocumentFile): Buffer | undefined {
  return readInside(root, relative(root, absolute), LARGEST_DOCUMENT, { links: true })
}

/** Digests of files; one whose stamp is unchanged is not read again. */
export class DigestCache {
  readonly #entries = new Map<string, { readonly stamp: string; readonly digest: string }>()

  digest(file: DocumentFile): string {
    const lookedAt = Date.now()
    const stats = statOr(file.absolute)
    const known = this.#entries.get(file.absolute)
    if (stats && known?.stamp === stampOf(stats)) return known.digest
    const digest = digestOf(readDocument(file))
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear()
    if (stats && isSettled(stats, lookedAt))
      this.#entries.set(file.absolute, { stamp: stampOf(stats), digest })
    return digest
  }
}

function statOr(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** What was written just before it was looked at may change again without a new time stamp. */
const SETTLED_AFTER_MS = 50

/** `lookedAt` is a time before the look: a process that had to wait after it must not take that for peace. */
export function isSettled({ mtimeMs }: Stats, lookedAt: number): boolean {
  return lookedAt - mtimeMs > SETTLED_AFTER_MS
}

/** Tells two states of a file or folder apart. */
export function stampOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs}:${ctimeMs}:${size}:${ino}`
}

/** Empty where it is gone or may not be looked at. */
export function stampAt(path: string): string {
  try {
    return stampOf(statSync(path))
  } catch {
    return ''
  }
}
