import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MARKS = ['HEAD', 'objects', 'refs']

/** A git directory under another name than `.git`: its configuration can hold passwords. */
function isBareRepository(folder: string): boolean {
  return MARKS.every((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
}

export function hasMarksOfBareRepository(names: Iterable<string>): boolean {
  const there = new Set(names)
  return MARKS.every((name) => there.has(name))
}

/** Whether a file of the project is inside one; the path is relative to the root. */
export function isInBareRepository(root: string, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isBareRepository(join(root, folder))) return true
    if (folder === '.' || folder === dirname(folder)) return false
  }
}
