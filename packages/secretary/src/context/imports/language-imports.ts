import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join, posix, relative } from 'node:path'
import { isNeverShown, isNeverShownFolder } from '@secretary-mcp/core/files/excluded-paths.ts'
import { isOutside, readInside } from '@secretary-mcp/core/files/read-inside.ts'

/** One thing a file imports, as its language writes it. */
const IMPORT_TYPES = ['import', 'export', 'dynamic', 'require', 'include', 'use'] as const

export interface Import {
  readonly specifier: string
  readonly type: (typeof IMPORT_TYPES)[number]
}

export function importType(capture: string): Import['type'] | undefined {
  return IMPORT_TYPES.find((type) => type === capture)
}

export interface ImportPlace {
  /** The importing file, from the project's root. */
  readonly file: string
  /** Its text, for what only the file itself says, such as its package. */
  readonly text: string
  readonly tree: ProjectTree
}

/** What must be known of a language to follow its imports: which statements, what they name, and where that lies. */
export interface LanguageImports {
  readonly extensions: readonly string[]
  readonly grammar: string
  /** Tree-sitter query; each `@statement` is read on its own. A capture named like a type gives that type. */
  readonly query: string
  readonly type: Import['type']
  /** Where nothing was found, a syntax error is told instead. */
  readonly reportsErrors?: boolean
  specifiers(statement: string): string[]
  /** Files of the project; none for what comes from elsewhere. */
  resolve(specifier: string, place: ImportPlace): Promise<string[]>
}

/** Where an import names a folder of files, only this many of them count. */
export const MAX_FILES_OF_A_FOLDER = 10

/** The project's files by relative path, as imports look for them. What lies outside does not exist. */
export interface ProjectTree {
  isFile(path: string): Promise<boolean>
  /** Names of the files in a folder, in order. */
  filesIn(folder: string): Promise<readonly string[]>
  foldersIn(folder: string): Promise<readonly string[]>
  /** A manifest's text; the empty string where there is none. */
  text(path: string): Promise<string>
  /** The first of these paths that is a file. */
  firstFile(paths: readonly string[]): Promise<string[]>
}

const MAX_MANIFEST_SIZE = 512 * 1024

/** Remembers each folder and manifest it has seen: made for one question, not to be kept. */
export function createProjectTree(root: string): ProjectTree {
  const folders = new Map<string, Promise<readonly Dirent[]>>()
  const texts = new Map<string, Promise<string>>()
  const entries = (folder: string): Promise<readonly Dirent[]> => {
    const path = inside(folder)
    if (path === undefined) return Promise.resolve([])
    const known = folders.get(path) ?? entriesInside(root, path).catch(() => [])
    folders.set(path, known)
    return known
  }
  const names = async (folder: string, keep: (entry: Dirent) => boolean) =>
    (await entries(folder))
      .filter(keep)
      .map(({ name }) => name)
      .sort()
  const read = async (path: string) => {
    if (!(await tree.isFile(path))) return ''
    const bytes = readInside(await realpath(root), path, MAX_MANIFEST_SIZE, { links: true })
    return bytes?.toString('utf8') ?? ''
  }
  const tree: ProjectTree = {
    async isFile(path) {
      const plain = inside(path)
      if (plain === undefined) return false
      const name = posix.basename(plain)
      return (await entries(posix.dirname(plain))).some(
        (entry) => entry.name === name && (entry.isFile() || entry.isSymbolicLink()),
      )
    },
    filesIn: (folder) => names(folder, (entry) => entry.isFile()),
    foldersIn: (folder) => names(folder, (entry) => entry.isDirectory()),
    text(path) {
      const known = texts.get(path) ?? read(path)
      texts.set(path, known)
      return known
    },
    async firstFile(paths) {
      for (const path of paths) if (await tree.isFile(path)) return [posix.normalize(path)]
      return []
    },
  }
  return tree
}

/** None where a link leads out of the project. */
async function entriesInside(root: string, path: string): Promise<Dirent[]> {
  const realRoot = await realpath(root)
  const folder = await realpath(join(realRoot, path))
  if (isOutside(relative(realRoot, folder))) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) =>
    entry.isDirectory() ? !isNeverShownFolder(entry.name) : !isNeverShown(entry.name),
  )
}

/** Undefined where the path leaves the project. */
function inside(path: string): string | undefined {
  const plain = posix.normalize(path || '.')
  return plain.startsWith('..') || plain.startsWith('/') || plain.includes('\0') ? undefined : plain
}

/** The folders above a file, nearest first, the root as the empty string last. */
export function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return [...parts.map((_, count) => parts.slice(0, parts.length - count).join('/')), '']
}

export const under = (folder: string, path: string) => (folder === '' ? path : `${folder}/${path}`)

/** The nearest folder above a file with one of these files in it. */
export async function folderWith(
  tree: ProjectTree,
  file: string,
  names: readonly string[],
): Promise<string | undefined> {
  for (const folder of foldersAbove(file)) {
    for (const name of names) if (await tree.isFile(under(folder, name))) return folder
  }
  return undefined
}
