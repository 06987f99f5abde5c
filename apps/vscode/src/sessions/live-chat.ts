import { basename } from 'node:path'
import type { Mark, Reading } from '../../../../src/dialogs/dialog.ts'
import { cutText } from '../../../../src/dialogs/preview.ts'
import type { JsonObject } from '../../../../src/dialogs/reading/loose-json.ts'
import type { BareTurn, Found, ReadContext, Source } from '../../../../src/dialogs/source.ts'
import { answerText, markOf, messageText } from '../../../../src/dialogs/sources/vscode-request.ts'
import { withAnswerer, withStatus } from '../../../../src/dialogs/sources/vscode-session.ts'

const LIVE = 'live'
const LONGEST_LAG_MS = 120_000

/** A chat as VS Code held it in memory at a moment. */
export interface LiveCopy {
  readonly takenAt: number
  readonly requests: readonly JsonObject[]
}

/** VS Code exports an answer that is still being written as cancelled; a tool that runs in it knows better. */
export function beingAnswered({ takenAt, requests }: LiveCopy): LiveCopy {
  const last = requests.at(-1)
  return last
    ? {
        takenAt,
        requests: requests.with(-1, { ...last, modelState: { value: 0 }, isCanceled: false }),
      }
    : { takenAt, requests }
}

/**
 * Chats that VS Code knows better than its files do, laid over the reader of those files.
 * A copy counts until the file was written after it and holds its last request.
 */
export class LiveChats {
  readonly #base: Source
  readonly #longestAnswer: number
  readonly #copies = new Map<string, LiveCopy>()

  constructor(base: Source, longestAnswer: number) {
    this.#base = base
    this.#longestAnswer = longestAnswer
  }

  put(path: string, copy: LiveCopy): void {
    this.#copies.set(path, copy)
  }

  get source(): Source {
    const base = this.#base
    return {
      name: base.name,
      roots: base.roots,
      fits: (client) => base.fits(client),
      list: async (context) => this.#withCopies(await base.list(context)),
      stat: async (key, path) => this.#stamped(await base.stat(key, path), path),
      read: (found, known, context) => this.#read(found, known, context),
      text: (path, mark) => (mark.hint === LIVE ? this.#text(path, mark) : base.text(path, mark)),
      turns: (found, reading, context) => this.#turns(found, reading, context),
    }
  }

  #withCopies(found: readonly Found[]): Found[] {
    const onDisk = new Set(found.map(({ path }) => path))
    const unwritten = [...this.#copies.keys()].filter((path) => !onDisk.has(path))
    return [
      ...found.map((file) => this.#stamped(file, file.path)),
      ...unwritten.map((path) => this.#stamped(undefined, path)),
    ].filter((file) => file !== undefined)
  }

  #stamped(file: Found | undefined, path: string): Found | undefined {
    const copy = this.#copies.get(path)
    if (!copy) return file
    return {
      key: path,
      path,
      size: file?.size ?? 0,
      mtimeMs: Math.max(file?.mtimeMs ?? 0, copy.takenAt),
    }
  }

  async #read(found: Found, known: Reading | undefined, context: ReadContext): Promise<Reading> {
    const copy = this.#copies.get(found.path)
    // Marks of a copy mean nothing to the reader of the file.
    const ownMarks = known?.marks.some(({ hint }) => hint === LIVE) ? undefined : known
    if (!copy) return this.#base.read(found, ownMarks, context)
    const onDisk = await this.#readDisk(found, ownMarks, context)
    if (found.mtimeMs > copy.takenAt && hasCaughtUp(onDisk, copy, found.mtimeMs)) {
      this.#copies.delete(found.path)
      return onDisk
    }
    const marks: Mark[] = copy.requests.map((request, place) => ({
      ...markOf(request, place, 0),
      hint: LIVE,
    }))
    const facts = copy.requests.reduce(withAnswerer, onDisk)
    return { ...onDisk, ...withStatus(facts, marks), marks, offset: 0, seam: undefined }
  }

  async #readDisk(
    found: Found,
    known: Reading | undefined,
    context: ReadContext,
  ): Promise<Reading> {
    const nothing: Reading = {
      sessionId: sessionIdOf(found.path),
      status: 'pending',
      marks: [],
      offset: 0,
    }
    return found.size === 0 ? nothing : this.#base.read(found, known, context).catch(() => nothing)
  }

  async #text(path: string, { at }: Mark): Promise<string | undefined> {
    const request = this.#copies.get(path)?.requests[at]
    return request && messageText(request.message)
  }

  async *#turns(found: Found, reading: Reading, context: ReadContext): AsyncGenerator<BareTurn> {
    const copy = this.#copies.get(found.path)
    if (!copy) return yield* this.#base.turns(found, reading, context)
    const shown = copy.requests.filter((request) => !markOf(request, 0, 0).hidden)
    for (const [place, request] of shown.entries()) {
      const answer = answerText(request.response)
      yield {
        position: place + 1,
        time: markOf(request, 0, 0).time ?? found.mtimeMs,
        request: messageText(request.message),
        answer: answer && cutText(answer, this.#longestAnswer),
      }
    }
  }
}

/** A request that never came to the disk was taken back by the person. */
function hasCaughtUp(
  { marks }: Reading,
  { requests, takenAt }: LiveCopy,
  writtenAt: number,
): boolean {
  const last = requests.at(-1)?.requestId
  return (
    writtenAt > takenAt + LONGEST_LAG_MS || marks.some(({ id }) => id !== undefined && id === last)
  )
}

export function sessionIdOf(path: string): string {
  return basename(path).replace(/\.jsonl?$/, '')
}
