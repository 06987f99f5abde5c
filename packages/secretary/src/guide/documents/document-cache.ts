import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { digestOf } from './digest-cache.ts'
import { type Document, type DocumentFile, LARGEST_DOCUMENT, type Problem } from './document.ts'
import type { ParseYaml } from './front-matter.ts'
import { parseDocument } from './parse-document.ts'
import { isSettled, stampOf } from './stamp.ts'

interface Entry {
  readonly stamp: string
  /** That was asked for. */
  readonly digest?: string
  readonly read: Document | Problem
}

const MOST_ENTRIES = 20_000
const MOST_CHARACTERS = 64 * 1024 * 1024

/** Parsed documents by file; a file that changed on disk is read again. */
export class DocumentCache {
  readonly #entries = new Map<string, Entry>()
  #characters = 0
  /** Characters read from disk since the start. */
  loaded = 0

  read(file: DocumentFile, parseYaml: ParseYaml): Document | Problem {
    const stats = statSync(file.absolute, { throwIfNoEntry: false })
    const known = this.#entries.get(file.absolute)
    if (stats && known?.stamp === stampOf(stats) && known.digest === file.digest) return known.read
    const loaded = { ...load(file, parseYaml), digest: file.digest }
    this.#keep(file.absolute, loaded)
    return loaded.read
  }

  #keep(path: string, entry: Entry): void {
    const size = sizeOf(entry)
    this.loaded += size
    this.#characters += size - sizeOf(this.#entries.get(path))
    if (this.#entries.size >= MOST_ENTRIES || this.#characters > MOST_CHARACTERS) {
      this.#entries.clear()
      this.#characters = size
    }
    this.#entries.set(path, entry)
  }

  /** As it was when last read, without a look at the disk; for counting what is not shown. */
  peek(file: DocumentFile, parseYaml: ParseYaml): Document | Problem {
    const known = this.#entries.get(file.absolute)
    return known && known.digest === file.digest ? known.read : this.read(file, parseYaml)
  }
}

function load(file: DocumentFile, parseYaml: ParseYaml): Entry {
  const fail = (error: string, error_type = 'file_read_error', stamp = ''): Entry => ({
    stamp,
    read: { document: file.path, error_type, error },
  })
  const lookedAt = Date.now()
  const entry = withFileInside(
    file.root,
    relative(file.root, file.absolute),
    ({ stats, bytes }) => {
      if (stats.size > LARGEST_DOCUMENT)
        return fail(
          `it is larger than ${LARGEST_DOCUMENT} bytes; split it`,
          'too_large',
          stampOf(stats),
        )
      const content = bytes(0, LARGEST_DOCUMENT)
      // Since it was listed it may have been written again.
      if (file.digest !== undefined && digestOf(content) !== file.digest)
        return fail('it has changed since you trusted it', 'untrusted')
      const source = decoded(content)
      if (source === undefined) return fail('it is not UTF-8 text')
      return {
        stamp: isSettled(stats, lookedAt) ? stampOf(stats) : '',
        read: parseDocument(file, hidePrivateKeys(source), parseYaml),
      }
    },
    { links: true },
  )
  return entry ?? fail('it cannot be read; check that it is a file and its permissions')
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function sizeOf(entry: Entry | undefined): number {
  return entry && 'body' in entry.read ? entry.read.body.length : 0
}
