import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FILES = [
  'CLAUDE.md',
  'AGENTS.md',
  'GEMINI.md',
  '.cursorrules',
  '.github/copilot-instructions.md',
]
const FOLDERS = ['.cursor/rules']
const MAX_FILES = 50

/** Rules that agents read by themselves: they are listed, and never repeated. */
export function rulesFiles(project: string): string[] {
  const files = FILES.filter((path) => isFile(join(project, path)))
  return [...files, ...FOLDERS.flatMap((folder) => filesIn(project, folder))].slice(0, MAX_FILES)
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function filesIn(project: string, folder: string): string[] {
  try {
    return readdirSync(join(project, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}/${name}`)
      .sort()
  } catch {
    return []
  }
}
