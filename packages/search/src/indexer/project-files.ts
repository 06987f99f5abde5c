import { realpathSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import {
  isLeftOutFolderOfIndex,
  isLeftOutOfIndex,
} from '@secretary-mcp/core/files/excluded-paths.ts'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import { hasMarksOfBareRepository } from '@secretary-mcp/core/files/repository.ts'
import ignore, { type Ignore } from 'ignore'
import { languageOf } from '../syntax/languages.ts'

const MAX_RULES_SIZE = 1_000_000
/** A longer rule fits no path, and as a regular expression it is refused. */
const MAX_RULE = 4_096

/** What of a project is indexed, by path alone: .gitignore files, nested ones too, the house's exclusions, and names we can read. */
interface ProjectFilter {
  /** To be called for a folder before its entries are asked about. */
  enter(folder: string): void
  keepsFolder(path: string): boolean
  keepsFile(path: string): boolean
}

export function createProjectFilter(root: string): ProjectFilter {
  const realRoot = realPath(root)
  const rules = new Map<string, Ignore | undefined>()

  return {
    enter(folder) {
      // As git does, a link in its place is not followed.
      const bytes = readInside(realRoot, posix.join(folder, '.gitignore'), MAX_RULES_SIZE)
      const lines = bytes?.toString('utf8').split(/\r?\n/)
      rules.set(folder, lines && ignore().add(lines.filter((line) => line.length <= MAX_RULE)))
    },
    keepsFolder: (path) => !isLeftOutFolderOfIndex(path) && !ignored(`${path}/`),
    keepsFile: (path) =>
      languageOf(path) !== undefined && !isLeftOutOfIndex(path) && !ignored(path),
  }

  /** From the root down: the deepest .gitignore that speaks of the path decides. */
  function ignored(path: string): boolean {
    let verdict = false
    for (const folder of foldersAbove(path)) {
      const rule = rules.get(folder)
      if (!rule) continue
      const { ignored: yes, unignored: no } = rule.test(
        folder ? path.slice(folder.length + 1) : path,
      )
      if (yes) verdict = true
      else if (no) verdict = false
    }
    return verdict
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function foldersAbove(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/')
  return parts.map((_, depth) => parts.slice(0, depth).join('/'))
}

export interface FoundFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

export const MAX_FILE_BYTES = 1_000_000

/** Every file worth indexing, in order of path. Links are not followed: they lead out of the project or back into it. */
export async function walk(
  root: string,
  filter: ProjectFilter,
  signal?: AbortSignal,
): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  await visit('')
  return found

  async function visit(folder: string): Promise<void> {
    signal?.throwIfAborted()
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    const names = entries.map((entry) => entry.name)
    if (hasMarksOfBareRepository(names)) return
    if (names.includes('.gitignore')) filter.enter(folder)
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (entry.isDirectory()) {
        if (filter.keepsFolder(path)) await visit(path)
      } else if (entry.isFile() && filter.keepsFile(path)) {
        const file = await foundFile(root, path)
        if (file) found.push(file)
      }
    }
  }
}

/** Undefined for what is gone, too large or not a plain file. */
export async function foundFile(root: string, path: string): Promise<FoundFile | undefined> {
  const info = await lstat(join(root, path)).catch(() => undefined)
  if (!info?.isFile() || info.size > MAX_FILE_BYTES || info.size === 0) return undefined
  return { path, size: info.size, mtimeMs: info.mtimeMs }
}
