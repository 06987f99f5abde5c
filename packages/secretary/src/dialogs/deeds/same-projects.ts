import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'
import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import * as z from 'zod'

type Clone = Pick<Repository, 'common' | 'origin'>

/** Two clones that the person said are one project; it holds as long as both name this origin. */
const link = z.object({ clones: z.tuple([z.string(), z.string()]), origin: z.string().optional() })
type Link = z.output<typeof link>

/**
 * Which clones the person confirmed to be the same project. A folder can name any origin, so nothing else shares the dialogs of one
 * clone with another.
 */
export class SameProjects {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Another one whenever a confirmation comes or goes. */
  get version(): string {
    return JSON.stringify(this.#read())
  }

  /** The clones that are the same project as this one, itself included, each by the directory that its worktrees share. */
  clonesOf({ common, origin }: Clone): ReadonlySet<string> {
    const links = this.#read().filter((one) => one.origin === origin)
    const found = new Set([common])
    for (const clone of found)
      for (const { clones } of links)
        if (clones.includes(clone)) for (const other of clones) found.add(other)
    return found
  }

  confirm(one: Clone, other: Clone): void {
    if (one.origin !== other.origin || this.clonesOf(one).has(other.common)) return
    const { origin } = one
    this.#write([
      ...this.#read(),
      { clones: [one.common, other.common], ...(origin === undefined ? {} : { origin }) },
    ])
  }

  /** Takes a clone out of everything that it was confirmed to be. */
  separate({ common }: Clone): void {
    this.#write(this.#read().filter(({ clones }) => !clones.includes(common)))
  }

  /** An unreadable file confirms nothing. */
  #read(): Link[] {
    try {
      return z.array(link).parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return []
    }
  }

  #write(links: readonly Link[]): void {
    const draft = `${this.#path}.${randomBytes(8).toString('hex')}`
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      writeFileSync(draft, `${JSON.stringify(links, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.#path)
    } catch (error) {
      throw fullDiskFailure(error)
    } finally {
      rmSync(draft, { force: true })
    }
  }
}
