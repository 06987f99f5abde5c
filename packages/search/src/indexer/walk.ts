import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasMarksOfBareRepository } from '@secretary-mcp/core/files/bare-repository.ts'
import type { ProjectFilter } from './project-filter.ts'

export interface FoundFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

export const MOST_FILE_BYTES = 1_000_000

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
  if (!info?.isFile() || info.size > MOST_FILE_BYTES || info.size === 0) return undefined
  return { path, size: info.size, mtimeMs: info.mtimeMs }
}
