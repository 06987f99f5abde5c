import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fullDiskFailure } from '../core/files/full-disk.ts'
import { realPath } from './documents/real-path.ts'

/** Projects whose own `.guide` the person has read and trusts, each by its real folder. */
export class TrustedFolders {
  readonly #path: string
  #read?: { readonly stamp: string; readonly folders: ReadonlySet<string> }

  constructor(home: string) {
    this.#path = join(home, 'trusted-guides.json')
  }

  has(project: string): boolean {
    const folder = realPath(project)
    return folder !== undefined && this.#folders().has(folder)
  }

  set(project: string, isTrusted: boolean): void {
    const folder = realPath(project)
    if (folder === undefined) return
    const folders = new Set(this.#folders())
    if (isTrusted) folders.add(folder)
    else folders.delete(folder)
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const draft = `${this.#path}.${randomBytes(8).toString('hex')}`
    try {
      writeFileSync(draft, `${JSON.stringify([...folders].sort(), null, 2)}\n`, {
        flag: 'wx',
        mode: 0o600,
      })
      renameSync(draft, this.#path)
    } catch (error) {
      throw fullDiskFailure(error)
    } finally {
      rmSync(draft, { force: true })
    }
    this.#read = undefined
  }

  /** Another process may have changed it: looked at each time, read only when it did. */
  #folders(): ReadonlySet<string> {
    const stamp = stampOf(this.#path)
    if (this.#read?.stamp !== stamp) this.#read = { stamp, folders: foldersIn(this.#path) }
    return this.#read.folders
  }
}

/** Empty for what is not there, and for what cannot be looked at. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch {
    return ''
  }
}

/** What cannot be understood trusts nobody. */
function foldersIn(path: string): Set<string> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return new Set(Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}
