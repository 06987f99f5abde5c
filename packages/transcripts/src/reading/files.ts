import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Found, ReadContext } from '../source.ts'

const MAX = 1000

const MAX_ENTRIES = 20_000

/** What a folder holds; a folder that is not there holds nothing, one that cannot be read is named. */
export async function entriesOf(
  folder: string,
  { warn }: Pick<ReadContext, 'warn'>,
): Promise<string[]> {
  try {
    const names = await readdir(folder)
    if (names.length <= MAX_ENTRIES) return names
    warn(folder, `more than ${MAX_ENTRIES} entries: the rest was left out`)
    return names.slice(-MAX_ENTRIES)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOENT' && code !== 'ENOTDIR') warn(folder, `cannot be listed (${code})`)
    return []
  }
}

export async function fileAt(path: string, key = path): Promise<Found | undefined> {
  try {
    const { size, mtimeMs, isFile } = await stat(path).then((s) => ({
      size: s.size,
      mtimeMs: s.mtimeMs,
      isFile: s.isFile(),
    }))
    return isFile ? { key, path, size, mtimeMs: Math.floor(mtimeMs) } : undefined
  } catch {
    return undefined
  }
}

/** The files of a folder whose names pass. */
export async function filesIn(
  folder: string,
  passes: (name: string) => boolean,
  context: ReadContext,
): Promise<Found[]> {
  const names = (await entriesOf(folder, context)).filter(passes)
  const found = await Promise.all(names.map((name) => fileAt(join(folder, name))))
  return found.filter((file) => file !== undefined)
}

/** The same of every folder below one, one level deep, optionally in a fixed folder of each. */
export async function filesBelow(
  root: string,
  passes: (name: string) => boolean,
  context: ReadContext,
  inner = '',
): Promise<Found[]> {
  const names = await entriesOf(root, context)
  return (
    await Promise.all(names.map((name) => filesIn(join(root, name, inner), passes, context)))
  ).flat()
}

/** Why a file could not be read, in our own words where there are some. */
export function reasonFor(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== undefined) return `cannot be read (${code})`
  return error instanceof SyntaxError
    ? 'is not valid JSON'
    : String(error instanceof Error ? error.message : error).slice(0, 200)
}

/** Parts of dialogs that could not be read: each is logged once. */
export class LeftOut {
  readonly #log: Pick<Log, 'warn'>
  readonly #said = new Set<string>()

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  get all(): readonly string[] {
    return [...this.#said]
  }

  readonly add = (path: string, why: string): void => {
    const said = `${path}: ${why}`
    if (this.#said.has(said)) return
    if (this.#said.size > MAX) this.#said.clear()
    this.#said.add(said)
    this.#log.warn({ path, why }, 'part of a dialog was left out')
  }
}
