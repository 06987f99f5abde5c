import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  /** Made on first demand: most visits come from a browser's cache. */
  gzipped(): Uint8Array<ArrayBuffer>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Everything the page is made of, by its address. Only names that were there at the first request are ever
 * served, so no address can lead out of the folder.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      return [path.slice(folder.length).replaceAll('\\', '/'), pageFile(readFileSync(path), type)]
    }),
  )
}

export function pageFile(content: string | Uint8Array, type: string): PageFile {
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  let small: Uint8Array<ArrayBuffer> | undefined
  return {
    bytes,
    type,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    gzipped() {
      small ??= new Uint8Array(gzipSync(bytes))
      return small
    },
  }
}
