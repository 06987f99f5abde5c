import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDocumentName } from '../names.ts'
import { isSettled, stampOf } from './digest-cache.ts'
import type { DocumentFile, Layer } from './document.ts'
import { isInside, realPath } from './real-path.ts'

const DEEPEST = 8
export const MOST_FILES = 5_000
const MOST_FOLDERS = 2_000
const MOST_WALKS = 200

interface Folder {
  readonly path: string
  readonly stamp: string
  readonly files: readonly DocumentFile[]
  readonly links: readonly DocumentFile[]
  readonly folders: readonly string[]
}

type Origin = Pick<DocumentFile, 'root' | 'layer'>

interface Walked {
  readonly folders: readonly Folder[]
  readonly files: readonly DocumentFile[]
}

/** Finds the documents below folders. A folder whose time stamp is unchanged is not read again. */
export class Walker {
  readonly #folders = new Map<string, Folder>()
  readonly #walks = new Map<string, Walked>()

  /** The same list object as before, where nothing has changed. Links may not lead out; hidden entries are left out. */
  walk(root: string, layer: Layer): readonly DocumentFile[] {
    const folders: Folder[] = []
    this.#visit(root, '', { root, layer }, folders, 0)
    const before = this.#walks.get(root)
    if (before && isSame(before.folders, folders)) return before.files
    const files = folders
      .flatMap((folder) => [
        ...folder.files,
        ...folder.links.filter(({ absolute }) => staysInside(absolute, root)),
      ])
      .slice(0, MOST_FILES)
    if (this.#walks.size >= MOST_WALKS) this.#walks.clear()
    this.#walks.set(root, { folders, files })
    return files
  }

  /** The folders below a root as they were at the last walk, the root first. */
  foldersOf(root: string): string[] {
    return this.#walks.get(root)?.folders.map(({ path }) => path) ?? []
  }

  #visit(path: string, prefix: string, origin: Origin, found: Folder[], depth: number): void {
    const folder = this.#folder(path, prefix, origin)
    if (!folder || found.length >= MOST_FOLDERS) return
    found.push(folder)
    if (depth >= DEEPEST) return
    for (const name of folder.folders)
      this.#visit(join(path, name), `${prefix}${name}/`, origin, found, depth + 1)
  }

  #folder(path: string, prefix: string, origin: Origin): Folder | undefined {
    const lookedAt = Date.now()
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isDirectory()) return undefined
    const known = this.#folders.get(path)
    if (known?.stamp === stampOf(stats)) return known
    const { files, links, folders } = readFolder(path, prefix, origin)
    // Where a link leads can change without a trace in its folder: such a folder is read each time.
    const stamp = links.length === 0 && isSettled(stats, lookedAt) ? stampOf(stats) : ''
    const folder = { path, stamp, files, links, folders }
    if (this.#folders.size >= MOST_FOLDERS * 4) this.#folders.clear()
    this.#folders.set(path, folder)
    return folder
  }
}

function readFolder(
  path: string,
  prefix: string,
  origin: Origin,
): Pick<Folder, 'files' | 'links' | 'folders'> {
  const entries = entriesOf(path).filter(
    ({ name }) => !name.startsWith('.') && name !== 'node_modules',
  )
  const documents = entries.filter(({ name }) => isDocumentName(name))
  const fileOf = ({ name }: Dirent): DocumentFile => ({
    path: prefix + name,
    ...origin,
    absolute: join(path, name),
  })
  const links = documents.filter((entry) => entry.isSymbolicLink()).map(fileOf)
  return {
    files: documents.filter((entry) => entry.isFile()).map(fileOf),
    links,
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  }
}

function isSame(before: readonly Folder[], now: readonly Folder[]): boolean {
  return before.length === now.length && now.every((folder, place) => folder === before[place])
}

function staysInside(link: string, root: string): boolean {
  const real = realPath(link)
  return real !== undefined && isInside(real, root)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A folder that vanished or may not be read has no documents.
    return []
  }
}
