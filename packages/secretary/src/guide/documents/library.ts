import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FailureKind } from '@secretary-mcp/core/failure.ts'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { isDocumentName } from '../names.ts'
import {
  DigestCache,
  type Document,
  type DocumentFile,
  digestOf,
  isInside,
  isSettled,
  type Layer,
  MAX_DOCUMENT_SIZE,
  type Problem,
  realFolder,
  realPath,
  stampAt,
  stampOf,
} from './document.ts'
import type { ParseYaml } from './front-matter.ts'
import { parseDocument } from './parse-document.ts'

/** The folder, and so the category, in which documents of spaces are found. */
const SPACES_FOLDER = 'spaces'

const DEEPEST = 8
const MAX_FILES = 5_000
const MAX_FOLDERS = 2_000
const MAX_WALKS = 200

interface Entry {
  readonly stamp: string
  /** That was asked for. */
  readonly digest?: string
  readonly read: Document | Problem
}

const MAX_ENTRIES = 20_000

const MAX_CHARACTERS = 64 * 1024 * 1024

/** Parsed documents by file; a file that changed on disk is read again. */
class DocumentCache {
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
    if (this.#entries.size >= MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
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
  const fail = (error: string, error_type: FailureKind = 'file_read_error', stamp = ''): Entry => ({
    stamp,
    read: { document: file.path, error_type, error },
  })
  const lookedAt = Date.now()
  const entry = withFileInside(
    file.root,
    relative(file.root, file.absolute),
    ({ stats, bytes }) => {
      if (stats.size > MAX_DOCUMENT_SIZE)
        return fail(
          `it is larger than ${MAX_DOCUMENT_SIZE} bytes; split it`,
          'too_large',
          stampOf(stats),
        )
      const content = bytes(0, MAX_DOCUMENT_SIZE)
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

export interface Layers {
  /** Comes with the package; never written. */
  readonly shipped: string
  /** The person's own docroot. */
  readonly user: string
  /** Digests of the project's own documents that are obeyed, by path; none are if this is missing. */
  readonly trustedDigests?: (project: string) => ReadonlyMap<string, string>
}

/** All documents of a project at one moment, the layers laid over each other. */
export interface Shelf {
  readonly files: readonly DocumentFile[]
  readonly topFolders: readonly string[]
  /** Paths of the project's own documents that are not trusted as they are now: they are in nothing else here. */
  readonly untrusted: readonly string[]
  /** The same, as files. */
  readonly untrustedFiles: readonly DocumentFile[]
  /** By its path, whichever layer it lies in, hidden parts too; the extension may be left out. */
  find(path: string): DocumentFile | undefined
  /** As it is on disk now. */
  read(file: DocumentFile): Document | Problem
  /** As it was when last read, for what is counted and not shown. */
  peek(file: DocumentFile): Document | Problem
}

/** What a watcher compares: which documents there are and what state each is in, and the folders in which that can change. */
export interface Survey {
  readonly stamps: ReadonlyMap<string, string>
  readonly folders: readonly string[]
}

interface Root {
  readonly layer: Layer
  readonly folder: string
  /** Where the folder really is; missing where there is none. */
  readonly root: string | undefined
}

interface Laid {
  readonly layers: readonly (readonly DocumentFile[])[]
  readonly byPath: ReadonlyMap<string, DocumentFile>
  readonly files: readonly DocumentFile[]
  readonly topFolders: readonly string[]
}

/** A project's own documents. */
interface OwnDocuments {
  readonly trusted: readonly DocumentFile[]
  readonly untrusted: readonly DocumentFile[]
}

const NO_DOCUMENTS: OwnDocuments = { trusted: [], untrusted: [] }
const NO_DIGESTS: ReadonlyMap<string, string> = new Map()

export const PROJECT_FOLDER = '.guide'
const EXTENSIONS = ['', '.md', '.mustache', '.md.mustache', '.txt']
const MAX_PROJECTS = 50
/** Characters read from disk for one call: a folder of huge files must not stop everybody else. */
const MAX_LOADED = 32 * 1024 * 1024

/** The documents on disk. Every look is fresh; what did not change is not made again. */
export class Library {
  readonly layers: Layers
  readonly #walker = new Walker()
  readonly #cache = new DocumentCache()
  readonly #digests = new DigestCache()
  readonly #own = new Map<string, OwnDocuments>()
  readonly #listChanged: () => void
  readonly #laid = new Map<string, Laid>()
  #yaml?: Promise<ParseYaml>

  constructor(layers: Layers, listChanged: () => void = () => {}) {
    this.layers = layers
    this.#listChanged = listChanged
  }

  async open(project: string): Promise<Shelf> {
    const parseYaml = await this.yaml()
    const { files, topFolders, byPath } = this.#lay(project)
    const { untrusted } = this.#own.get(project) ?? NO_DOCUMENTS
    const before = this.#cache.loaded
    const isSpent = () => this.#cache.loaded - before > MAX_LOADED
    return {
      files,
      topFolders,
      untrusted: untrusted.map(({ path }) => path),
      untrustedFiles: untrusted,
      find: (path) =>
        EXTENSIONS.map((extension) => byPath.get(path + extension)).find(
          (file) => file !== undefined,
        ),
      read: (file) => (isSpent() ? tooMuch(file) : this.#cache.read(file, parseYaml)),
      peek: (file) => (isSpent() ? tooMuch(file) : this.#cache.peek(file, parseYaml)),
    }
  }

  survey(project: string): Survey {
    const roots = this.#roots(project)
    const { files } = this.#lay(project, roots)
    const stamps = files.map(({ path, layer, absolute }): [string, string] => [
      path,
      layer === 'shipped' ? absolute : `${absolute} ${stampAt(absolute)}`,
    ])
    // Of the same roots that were walked: one that appears meanwhile is seen from the folder above it.
    const folders = roots
      .filter(({ layer }) => layer !== 'shipped')
      .flatMap(({ folder, root }) =>
        root === undefined ? [nearest(folder)] : this.#walker.foldersOf(root),
      )
    return { stamps: new Map(stamps), folders }
  }

  /** The parser is large: it loads when the first document is read. */
  yaml(): Promise<ParseYaml> {
    this.#yaml ??= import('./yaml.ts').then(({ parseYaml }) => parseYaml)
    return this.#yaml
  }

  #lay(project: string, roots = this.#roots(project)): Laid {
    const own = this.#ownDocuments(project, roots)
    const layers = roots.flatMap(({ layer, root }) => {
      if (root === undefined) return []
      return [layer === 'project' ? own.trusted : this.#walker.walk(root, layer)]
    })
    const before = this.#laid.get(project)
    if (
      before &&
      before.layers.length === layers.length &&
      layers.every((layer, place) => layer === before.layers[place])
    )
      return before
    const now = lay(layers)
    if (this.#laid.size >= MAX_PROJECTS) this.#laid.clear()
    this.#laid.set(project, now)
    if (before && pathsOf(before) !== pathsOf(now)) this.#listChanged()
    return now
  }

  /** The same lists as before where nothing has changed. A file is hashed only if one of its path is trusted. */
  #ownDocuments(project: string, roots: readonly Root[]): OwnDocuments {
    const root = roots.find(({ layer }) => layer === 'project')?.root
    const digests = this.layers.trustedDigests?.(project) ?? NO_DIGESTS
    const walked = root === undefined ? [] : this.#walker.walk(root, 'project')
    const trusted: DocumentFile[] = []
    const untrusted: DocumentFile[] = []
    for (const file of walked) {
      const digest = digests.get(file.path)
      if (digest !== undefined && this.#digests.digest(file) === digest)
        trusted.push({ ...file, digest })
      else untrusted.push(file)
    }
    const before = this.#own.get(project) ?? NO_DOCUMENTS
    const now = { trusted: isSame(before.trusted, trusted) ? before.trusted : trusted, untrusted }
    if (this.#own.size >= MAX_PROJECTS) this.#own.clear()
    this.#own.set(project, now)
    return now
  }

  #roots(project: string): Root[] {
    const { shipped, user } = this.layers
    const own = join(project, PROJECT_FOLDER)
    return [
      { layer: 'shipped', folder: shipped, root: realFolder(shipped) },
      { layer: 'user', folder: user, root: realFolder(user) },
      { layer: 'project', folder: own, root: realFolder(own, project) },
    ]
  }
}

function isSame(before: readonly DocumentFile[], now: readonly DocumentFile[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ path, absolute, digest }, index) => {
      const known = before[index]
      return known?.path === path && known.absolute === absolute && known.digest === digest
    })
  )
}

function tooMuch({ path }: DocumentFile): Problem {
  return {
    document: path,
    error_type: 'too_large',
    error: 'it was not read: the documents before it are too large together',
  }
}

function lay(layers: readonly (readonly DocumentFile[])[]): Laid {
  const byPath = new Map(layers.flat().map((file) => [file.path, file]))
  const files = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const topFolders = new Set(
    files
      .filter(({ path }) => path.includes('/'))
      .map(({ path }) => path.slice(0, path.indexOf('/'))),
  )
  return { layers, byPath, files, topFolders: [...topFolders] }
}

/** Where a folder that is missing would begin to appear. */
function nearest(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(above) ? above : nearest(above)
}

function pathsOf({ files }: Laid): string {
  return files.map(({ path }) => path).join('\n')
}

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
class Walker {
  readonly #folders = new Map<string, Folder>()
  readonly #walks = new Map<string, Walked>()

  /** The same list object as before, where nothing has changed. Links may not lead out; hidden entries are left out. */
  walk(root: string, layer: Layer): readonly DocumentFile[] {
    const folders: Folder[] = []
    this.#visit(root, '', { root, layer }, folders, 0)
    const before = this.#walks.get(root)
    if (before && isSameTree(before.folders, folders)) return before.files
    const files = folders
      .flatMap((folder) => [
        ...folder.files,
        ...folder.links.filter(({ absolute }) => staysInside(absolute, root)),
      ])
      .slice(0, MAX_FILES)
    if (this.#walks.size >= MAX_WALKS) this.#walks.clear()
    this.#walks.set(root, { folders, files })
    return files
  }

  /** The folders below a root as they were at the last walk, the root first. */
  foldersOf(root: string): string[] {
    return this.#walks.get(root)?.folders.map(({ path }) => path) ?? []
  }

  #visit(path: string, prefix: string, origin: Origin, found: Folder[], depth: number): void {
    const folder = this.#folder(path, prefix, origin)
    if (!folder || found.length >= MAX_FOLDERS) return
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
    if (this.#folders.size >= MAX_FOLDERS * 4) this.#folders.clear()
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

function isSameTree(before: readonly Folder[], now: readonly Folder[]): boolean {
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

/** A copy of a document that a space has in common. */
export interface SpaceDocument {
  readonly space: { readonly id: string; readonly name: string }
  readonly path: string
  readonly content: string
}

/** The shelf with what the reader's spaces have added, each space in a folder of its name. */
export function withSpaceDocuments(
  shelf: Shelf,
  shared: readonly SpaceDocument[],
  parseYaml: ParseYaml,
): Shelf {
  if (shared.length === 0) return shelf
  const folders = foldersOf(shared)
  const files = shared.map(
    ({ space, path, content }): DocumentFile => ({
      path: `${SPACES_FOLDER}/${folders.get(space.id)}/${path}`,
      layer: 'space',
      absolute: '',
      root: '',
      text: content,
    }),
  )
  const byPath = new Map(files.map((file) => [file.path, file]))
  // A file of that name on this machine is the person's own, and comes first.
  const others = files.filter(({ path }) => shelf.find(path) === undefined)
  const parsed = (file: DocumentFile): Document | Problem =>
    parseDocument(file, file.text ?? '', parseYaml)
  return {
    ...shelf,
    files: [...shelf.files, ...others].sort((a, b) => (a.path < b.path ? -1 : 1)),
    topFolders: [...new Set([...shelf.topFolders, SPACES_FOLDER])],
    find: (path) => shelf.find(path) ?? byPath.get(path) ?? byPath.get(`${path}.md`),
    read: (file) => (file.layer === 'space' ? parsed(file) : shelf.read(file)),
    peek: (file) => (file.layer === 'space' ? parsed(file) : shelf.peek(file)),
  }
}

/** A name may have signs that a path cannot; of two that look alike then, the second goes by its id. */
function foldersOf(shared: readonly SpaceDocument[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  for (const { space } of shared) {
    if (folders.has(space.id)) continue
    const name = space.name.replace(/[\\/:*?"<>|+,]+/g, '-').replace(/^[_.\s]+/, '')
    const isTaken = name === '' || [...folders.values()].includes(name)
    folders.set(space.id, isTaken ? space.id : name)
  }
  return folders
}
