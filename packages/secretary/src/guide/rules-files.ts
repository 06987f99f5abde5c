import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FILES = [
  'CLAUDE.md',
  'AGENTS.md',
  'GEMINI.md',
  'QWEN.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.github/copilot-instructions.md',
]
/** With the names that count in each. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  '.claude': /^claude\.md$/i,
  '.claude/rules': /\.md$/,
  '.cursor/rules': /\.mdc?$/,
  '.github/instructions': /\.md$/,
  '.clinerules': /\.md$/,
}
const MAX_FILES = 50

/** Rules that agents read by themselves: they are listed, and never repeated. */
export function rulesFiles(project: string): string[] {
  const files = FILES.filter((path) => isFile(join(project, path)))
  const inFolders = Object.entries(FOLDERS).flatMap(([folder, names]) =>
    filesIn(project, folder)
      .filter((name) => names.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return [...files, ...inFolders].slice(0, MAX_FILES)
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function filesIn(project: string, folder: string): string[] {
  try {
    return readdirSync(join(project, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
