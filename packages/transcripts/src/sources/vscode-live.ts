import { stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { Mark, Reading, ReadResult } from '../dialog.ts'
import { documentBytes } from '../reading/document.ts'
import { entriesOf } from '../reading/files.ts'
import { cutAnswer, isWanted } from '../reading/gather-turns.ts'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
  textOf,
  timeOf,
} from '../reading/loose-json.ts'
import type { BareTurn, Found, ReadContext, Source, TurnsWanted } from '../source.ts'
import { EXTENSION_FOLDER, withAnswerer, withStatus } from './vscode-project.ts'
import { answerText, markOf, messageText } from './vscode-request.ts'

const LIVE = 'live'
/** VS Code writes a chat down within a minute. */
const MAX_LAG_MS = 120_000

interface Parts {
  readonly users: readonly string[]
  readonly longestAnswer: number
  readonly project: (path: string) => Promise<string | undefined>
}

/**
 * Chats that VS Code knows better than its files do, laid over the reader of those files.
 * A copy counts until the file was written after it and holds its last request.
 */
export function withLiveChats(base: Source, { users, longestAnswer, project }: Parts): Source {
  const copies = new LiveCopies(users)

  const readFile = async (
    found: Found,
    known: Reading | undefined,
    context: ReadContext,
  ): Promise<ReadResult> => {
    const nothing: ReadResult = {
      sessionId: sessionOfFile(found.path),
      project: await project(found.path),
      status: 'pending',
      marks: [],
      offset: 0,
    }
    return found.size === 0 ? nothing : base.read(found, known, context).catch(() => nothing)
  }

  const read: Source['read'] = async (found, known, context) => {
    const copy = await copies.of(found.path)
    // Marks of a copy mean nothing to the reader of the file.
    const ownMarks = known?.marks.some(isLive) ? undefined : known
    if (!copy) return base.read(found, ownMarks, context)
    const onDisk = await readFile(found, ownMarks, context)
    return hasCaughtUp(onDisk, copy, found.mtimeMs) ? onDisk : overlaid(onDisk, copy, found)
  }

  return {
    ...base,
    async list(context) {
      const found = await base.list(context)
      const live = await copies.all(context)
      const onDisk = new Set(found.map(({ path }) => path))
      const unwritten = [...live.values()].filter(
        ({ path, takenAt }) => !onDisk.has(path) && Date.now() - takenAt < MAX_LAG_MS,
      )
      return [
        ...found.map((file) => stamped(file, live.get(file.path))),
        ...unwritten.map((copy) => stamped(undefined, copy)),
      ].filter((file) => file !== undefined)
    },
    stat: async (key, path) => stamped(await base.stat(key, path), await copies.of(path)),
    read,
    async text(path, mark) {
      if (!isLive(mark)) return base.text(path, mark)
      const request = (await copies.of(path))?.requests.find((one) => isSame(one, mark))
      return request && messageText(request.message)
    },
    async *turns(found, reading, context, wanted) {
      const copy = reading.marks.some(isLive) ? await copies.of(found.path) : undefined
      if (copy) yield* copiedTurns(copy, found, { longestAnswer, ...wanted })
      else yield* base.turns(found, reading, context, wanted)
    },
  }
}

function* copiedTurns(copy: LiveCopy, found: Found, wanted: TurnsWanted): Generator<BareTurn> {
  const shown = copy.requests.filter((request) => !markOf(request, 0, 0).hidden)
  for (const [place, request] of shown.entries()) {
    if (!isWanted(place + 1, wanted)) continue
    yield {
      position: place + 1,
      time: markOf(request, 0, 0).time ?? found.mtimeMs,
      request: messageText(request.message),
      ...cutAnswer(answerText(request.response), wanted),
    }
  }
}

/** What was done stands behind its request in the file, so a request keeps its place there. */
function overlaid(onDisk: ReadResult, { requests }: LiveCopy, { size }: Found): ReadResult {
  const places = new Map(onDisk.marks.map(({ id, at }) => [id, at]))
  const marks = requests.map((request, place): Mark => {
    const at = places.get(textOf(request.requestId)) ?? size + place
    return { ...markOf(request, at, 0), hint: LIVE }
  })
  const facts = requests.reduce(withAnswerer, onDisk)
  return { ...onDisk, ...withStatus(facts, marks), offset: 0, seam: undefined }
}

function stamped(file: Found | undefined, copy: LiveCopy | undefined): Found | undefined {
  if (!copy) return file
  const { path, takenAt } = copy
  return { key: path, path, size: file?.size ?? 0, mtimeMs: Math.max(file?.mtimeMs ?? 0, takenAt) }
}

/** A request that never came to the disk was taken back by the person. */
function hasCaughtUp(
  { marks }: Reading,
  { requests, takenAt }: LiveCopy,
  writtenAt: number,
): boolean {
  if (writtenAt <= takenAt) return false
  const last = requests.at(-1)?.requestId
  return writtenAt > takenAt + MAX_LAG_MS || marks.some(({ id }) => id !== undefined && id === last)
}

function isLive({ hint }: Mark): boolean {
  return hint === LIVE
}

function isSame(request: JsonObject, { id, at, preview }: Mark): boolean {
  const own = markOf(request, at, 0)
  return id === undefined ? own.preview === preview : own.id === id
}

export function sessionOfFile(path: string): string {
  return basename(path).replace(/\.jsonl?$/, '')
}

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
class LiveCopies {
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
