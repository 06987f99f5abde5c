import { lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLeftOutFolder } from '@secretary-mcp/core/files/excluded-paths.ts'

/** Where ripgrep looks for rules in every folder that it enters, and in those above the project. */
const RULES: readonly string[] = ['.gitignore', '.ignore', '.rgignore']
const EXCLUDE = join('.git', 'info', 'exclude')
const MOST_RULE_BYTES = 1_000_000

/**
 * Whether a pipe or a device stands where ripgrep expects a file of rules: it opens them all, and
 * would wait for a writer for ever.
 */
export async function hasEndlessRules(root: string, signal: AbortSignal): Promise<boolean> {
  for (const folder of foldersAbove(root))
    if (await isAnyEndless([...RULES, EXCLUDE].map((name) => join(folder, name)))) return true
  const folders = [root]
  for (const folder of folders) {
    if (signal.aborted) return false
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const rules = entries.filter((entry) => RULES.includes(entry.name) && !entry.isFile())
    const nested = entries.some(({ name }) => name === '.git') ? [join(folder, EXCLUDE)] : []
    const suspects = [...rules.map(({ name }) => join(folder, name)), ...nested]
    if (await isAnyEndless(suspects)) return true
    for (const entry of entries)
      if (entry.isDirectory() && !isLeftOutFolder(entry.name))
        folders.push(join(folder, entry.name))
  }
  return false
}

/** Options for ripgrep where it cannot open every file of rules: those of the root count all the same. */
export async function withoutRules(root: string): Promise<string[]> {
  const own = await lstat(join(root, '.gitignore')).catch(() => undefined)
  const isReadable = own?.isFile() && own.size <= MOST_RULE_BYTES
  return ['--no-ignore', ...(isReadable ? ['--ignore-file=.gitignore'] : [])]
}

function foldersAbove(root: string): string[] {
  const above = dirname(root)
  return above === root ? [] : [above, ...foldersAbove(above)]
}

async function isAnyEndless(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isFIFO() || found?.isCharacterDevice()) return true
  }
  return false
}
