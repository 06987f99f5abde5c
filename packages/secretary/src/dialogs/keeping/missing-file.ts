import { lstat } from 'node:fs/promises'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import type { KnownStamp } from '../dialog-store.ts'

export const DAY_MS = 86_400_000

/**
 * Why a dialog is no longer listed. `away`: the disk or folder it was on is not there, so nothing is known. `cleaned`: so old that
 * its agent deletes it. `deleted`: by the person, or replaced by another file.
 */
export type Fate = 'away' | 'cleaned' | 'deleted'

export async function fateOf(
  key: string,
  { mtimeMs }: Pick<KnownStamp, 'mtimeMs'>,
  sources: readonly Source[],
): Promise<Fate> {
  const home = homeOf(key, sources)
  if (!home || (await isThere(home.root)) !== 'yes') return 'away'
  // A row of a database is not there where its source does not list it.
  const there = key.startsWith(`${home.root}#`) ? 'no' : await isThere(key)
  if (there === 'unknown') return 'away'
  const days = there === 'yes' ? undefined : await home.source.cleanupDays?.()
  if (days === undefined) return 'deleted'
  return Date.now() - mtimeMs >= days * DAY_MS ? 'cleaned' : 'deleted'
}

/** The source that a key belongs to, by the longest of the folders that may hold it. */
export function homeOf(
  key: string,
  sources: readonly Source[],
): { readonly source: Source; readonly root: string } | undefined {
  return sources
    .flatMap((source) => source.roots.map((root) => ({ source, root })))
    .filter(({ root }) => key.startsWith(root) && /^[/\\#]/.test(key.slice(root.length)))
    .sort((a, b) => b.root.length - a.root.length)[0]
}

async function isThere(path: string): Promise<'yes' | 'no' | 'unknown'> {
  try {
    await lstat(path)
    return 'yes'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'no' : 'unknown'
  }
}
