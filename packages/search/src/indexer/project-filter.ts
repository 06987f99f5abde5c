import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import {
  isLeftOutFolderOfIndex,
  isLeftOutOfIndex,
} from '@secretary-mcp/core/files/excluded-paths.ts'
import { readInside } from '@secretary-mcp/core/files/read-inside.ts'
import ignore, { type Ignore } from 'ignore'
import { languageOf } from '../syntax/languages.ts'

const LARGEST_RULES = 1_000_000
/** A longer rule fits no path, and as a regular expression it is refused. */
const LONGEST_RULE = 4_096

/** What of a project is indexed, by path alone: .gitignore files, nested ones too, the house's exclusions, and names we can read. */
export interface ProjectFilter {
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
      const bytes = readInside(realRoot, posix.join(folder, '.gitignore'), LARGEST_RULES)
      const lines = bytes?.toString('utf8').split(/\r?\n/)
      rules.set(folder, lines && ignore().add(lines.filter((line) => line.length <= LONGEST_RULE)))
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
