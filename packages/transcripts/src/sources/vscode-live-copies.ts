import { stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { documentBytes } from '../reading/document.ts'
import { entriesOf } from '../reading/files.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import type { ReadContext } from '../source.ts'
import { EXTENSION_FOLDER } from './vscode-project.ts'

/** A chat as VS Code held it in memory at a moment. */
export interface LiveCopy {
  /** The file that VS Code keeps the chat in, or will. */
  readonly path: string
  readonly takenAt: number
  readonly requests: readonly JsonObject[]
}

/** Where the extension puts such copies, for every reader of the chats: below the `User` folder, by the id of the session. */
export function liveFolder(user: string): string {
  return join(user, 'globalStorage', EXTENSION_FOLDER, 'live')
}

/** The copies below some `User` folders; each is read again only once it was rewritten. */
export class LiveCopies {
  readonly #users: readonly string[]
  readonly #known = new Map<string, { readonly stamp: string; readonly copy?: LiveCopy }>()

  constructor(users: readonly string[]) {
    this.#users = users
  }

  async of(path: string): Promise<LiveCopy | undefined> {
    const user = this.#users.find((folder) => path.startsWith(`${folder}${sep}`))
    if (user === undefined) return undefined
    const copy = await this.#read(
      join(liveFolder(user), `${basename(path).replace(/\.jsonl?$/, '')}.json`),
    )
    return copy?.path === path ? copy : undefined
  }

  /** By the path of the chat. */
  async all(context: Pick<ReadContext, 'warn'>): Promise<Map<string, LiveCopy>> {
    const found = new Map<string, LiveCopy>()
    for (const user of this.#users) {
      const folder = liveFolder(user)
      const names = await entriesOf(folder, context)
      for (const name of names.filter((one) => one.endsWith('.json'))) {
        const copy = await this.#read(join(folder, name))
        // A copy speaks for a chat of the same editor, and for no other file.
        if (copy?.path.startsWith(`${user}${sep}`)) found.set(copy.path, copy)
      }
    }
    return found
  }

  async #read(file: string): Promise<LiveCopy | undefined> {
    const found = await stat(file).catch(() => undefined)
    if (!found) {
      this.#known.delete(file)
      return undefined
    }
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs}`
    const last = this.#known.get(file)
    if (last?.stamp === stamp) return last.copy
    const bytes = await documentBytes(file).catch(() => undefined)
    const copy = bytes && copyOf(objectOf(parsedOr(bytes)))
    this.#known.set(file, { stamp, copy })
    return copy
  }
}

function copyOf({ path, takenAt, requests }: JsonObject): LiveCopy | undefined {
  const [file, time] = [textOf(path), timeOf(takenAt)]
  if (file === undefined || time === undefined) return undefined
  return { path: file, takenAt: time, requests: listOf(requests).map(objectOf) }
}
