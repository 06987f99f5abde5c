import { createHash } from 'node:crypto'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { FailureKind } from '@secretary-mcp/core/failure.ts'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import type { FrontMatter } from './front-matter.ts'
import type { Node } from './parse-document.ts'

const MAX_ENTRIES = 20_000
/** Stands for a file that is too large or cannot be read: nothing of it is shown, and once it can be read it is another one. */
const UNREADABLE = 'unreadable'
/** What was written just before it was looked at may change again without a new time stamp. */
const SETTLED_AFTER_MS = 50

/**
 * Where a document comes from; the project's own wins over the person's, which wins over the shipped one. What a space has in
 * common is in a folder of its own.
 */
export type Layer = 'project' | 'user' | 'shipped' | 'space'

/** A file found in a layer. `path` is its place in the docroot, with forward slashes. */
export interface DocumentFile {
  readonly path: string
  readonly layer: Layer
  readonly absolute: string
  /** The real folder that it may not lead out of. */
  readonly root: string
  /** Of the text that the person trusts; with another one it is not shown. */
  readonly digest?: string
  /** Of one that is in no file. */
  readonly text?: string
}

export interface Document extends FrontMatter {
  readonly path: string
  readonly layer: Layer
  readonly title: string
  readonly body: string
  readonly nodes: readonly Node[]
}

/** Why a document is missing from a result; it costs only itself. */
export interface Problem {
  readonly document: string
  readonly error_type: FailureKind
  readonly error: string
}

export const MAX_DOCUMENT_SIZE = 1024 * 1024

export function isProblem<T>(read: T | Problem): read is Problem {
  return typeof read === 'object' && read !== null && 'error_type' in read
}

/** Undefined where there is no such folder, or where it leads out of the one it must lie in. */
export function realFolder(folder: string, inside?: string): string | undefined {
  const real = realPath(folder)
  if (real === undefined || inside === undefined) return real
  const container = realPath(inside)
  return container !== undefined && isInside(real, container) ? real : undefined
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

export function digestOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? UNREADABLE : createHash('sha256').update(bytes).digest('hex')
}

export function readDocument({ root, absolute }: DocumentFile): Buffer | undefined {
  return readInside(root, relative(root, absolute), MAX_DOCUMENT_SIZE, { links: true })
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
