import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isDocumentName } from '../document-path.ts'
import type { DocumentFile, Layer } from './document.ts'

const DEEPEST = 8
export const MOST_FILES = 5_000

/** The documents below a folder, in a stable order. Links may not lead out of it; hidden entries are left out. */
export function walk(root: string, layer: Layer): DocumentFile[] {
  const found: DocumentFile[] = []
  const visit = (folder: string, prefix: string, depth: number) => {
    for (const entry of entriesOf(folder)) {
      if (entry.name.startsWith('.') || found.length >= MOST_FILES) continue
      const absolute = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (depth < DEEPEST && entry.name !== 'node_modules') visit(absolute, `${prefix}${entry.name}/`, depth + 1)
      } else if (isDocumentName(entry.name) && (entry.isFile() || (entry.isSymbolicLink() && staysInside(absolute, root)))) {
        found.push({ path: `${prefix}${entry.name}`, layer, absolute })
      }
    }
  }
  visit(root, '', 0)
  return found
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

function staysInside(link: string, root: string): boolean {
  const real = realPath(link)
  return real !== undefined && isInside(real, root)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // A folder that vanished or may not be read has no documents.
    return []
  }
}
