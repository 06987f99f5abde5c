import {
  type Dialog,
  type Mark,
  type Reading,
  requestsOf,
  type Turn,
} from '@secretary-mcp/transcripts/dialog.ts'
import { reasonFor } from '@secretary-mcp/transcripts/reading/files.ts'
import { cutAnswer, isWanted } from '@secretary-mcp/transcripts/reading/gather-turns.ts'
import { previewOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import type { BareTurn, TurnsWanted } from '@secretary-mcp/transcripts/source.ts'
import { mayAnswer, questionBefore } from './bare-reply.ts'
import type { DialogIndex } from './dialog-index.ts'
import type { DialogStore } from './dialog-store.ts'
import type { KeptStore } from './keeping/kept-store.ts'

export interface Asked {
  /** Absent if the file has changed or is gone. */
  readonly request?: string
  /** The question that it answers. */
  readonly answers?: string
}

/** What stands in a dialog, read from its own file by its source, or from what was kept of it where the file is gone. */
export class DialogTexts {
  readonly #index: DialogIndex
  readonly #store: DialogStore
  readonly #kept?: KeptStore
  #lastKept?: { readonly key: string; readonly stamp: string; readonly turns: readonly BareTurn[] }

  constructor(index: DialogIndex, store: DialogStore, kept?: KeptStore) {
    this.#index = index
    this.#store = store
    this.#kept = kept
  }

  async marks(dialog: Dialog): Promise<Mark[]> {
    return requestsOf(await this.#reading(dialog))
  }

  /** The full text; undefined where the file is no longer what it was, or is gone and nothing was kept. */
  async requestText(dialog: Dialog, mark: Mark): Promise<string | undefined> {
    const { chatJsonPath, source } = dialog
    if (chatJsonPath === undefined) return this.#keptText(dialog, mark)
    // A file that was deleted or shut a moment ago is no exception, only no longer there.
    return this.#index
      .sourceOf({ source })
      ?.text(chatJsonPath, mark)
      .catch(() => undefined)
  }

  /** A request in full, with the question that a bare reply answers. */
  async asked(dialog: Dialog, marks: readonly Mark[], position: number): Promise<Asked> {
    const mark = marks[position - 1]
    const request = mark && (await this.requestText(dialog, mark))
    const answers = await this.questionBefore(dialog, marks, position, request)
    return { request, ...(answers ? { answers } : {}) }
  }

  /** The question that a request answers: as recorded, or in the agent's words before it. */
  async questionBefore(
    dialog: Dialog,
    marks: readonly Mark[],
    position: number,
    request = marks[position - 1]?.preview,
  ): Promise<string | undefined> {
    const mark = marks[position - 1]
    if (mark?.question !== undefined || request === undefined) return mark?.question
    if (position < 2 || !mayAnswer(request)) return undefined
    const before = { from: position - 1, to: position - 1, longestAnswer: Number.POSITIVE_INFINITY }
    for await (const { answer } of this.#said(dialog, before))
      return questionBefore(request, answer)
    return undefined
  }

  /** The same for one request, if its marks are not at hand. */
  async questionTo(dialog: Dialog, position: number, request: string): Promise<string | undefined> {
    const marks = await this.marks(dialog)
    return this.questionBefore(dialog, marks, position, request)
  }

  /** With a part wanted, only that part; where the source allows it, only that part is read. */
  async *turns(dialog: Dialog, wanted: TurnsWanted = {}): AsyncGenerator<Turn> {
    const { sessionId, project, source } = dialog
    const marks = await this.marks(dialog)
    let before: BareTurn | undefined
    for await (const turn of this.#said(dialog, wanted)) {
      const { position, request } = turn
      const isKnown = before?.position === position - 1 && before.answerLength === undefined
      const answers =
        isKnown && marks[position - 1]?.question === undefined
          ? questionBefore(request, before?.answer)
          : await this.questionBefore(dialog, marks, position, request)
      yield { ...turn, sessionId, project, source, ...(answers ? { answers } : {}) }
      before = turn
    }
  }

  async *#said(dialog: Dialog, wanted: TurnsWanted): AsyncGenerator<BareTurn> {
    const said =
      dialog.chatJsonPath === undefined
        ? cutTurns(await this.#keptTurns(dialog), wanted)
        : this.#written(dialog, dialog.chatJsonPath, wanted)
    for await (const turn of said) if (isWanted(turn.position, wanted)) yield turn
  }

  async *#written(dialog: Dialog, path: string, wanted: TurnsWanted): AsyncGenerator<BareTurn> {
    const { key, size, mtimeMs } = dialog
    const { context } = this.#index
    const reading = await this.#reading(dialog)
    const found = { key, path, size, mtimeMs }
    try {
      yield* this.#index.sourceOf(dialog)?.turns(found, reading, context, wanted) ?? []
    } catch (error) {
      // One file that is gone or broken must not end a walk over all of them.
      context.warn(path, reasonFor(error))
    }
  }

  async #keptText(dialog: Dialog, { at, hint, path }: Mark): Promise<string | undefined> {
    const marks = await this.marks(dialog)
    const place = marks.findIndex(
      (mark) => mark.at === at && mark.hint === hint && mark.path === path,
    )
    const turns = await this.#keptTurns(dialog)
    return turns.find(({ position }) => position === place + 1)?.request
  }

  /** The last one stays at hand: its requests are asked for one by one. */
  async #keptTurns({ key, mtimeMs }: Dialog): Promise<readonly BareTurn[]> {
    const stamp = `${mtimeMs}/${await this.#kept?.version()}`
    if (this.#lastKept?.key === key && this.#lastKept.stamp === stamp) return this.#lastKept.turns
    const turns = (await this.#kept?.find(key))?.turns ?? []
    this.#lastKept = { key, stamp, turns }
    return turns
  }

  /** A text that does not begin as the index says is in a file that was rewritten just now: it is read once more. */
  async requestAt(
    dialog: Dialog,
    index: number,
    again = true,
  ): Promise<{ mark?: Mark; total: number; request?: string }> {
    const marks = await this.marks(dialog)
    const mark = marks[index - 1]
    if (!mark) return { total: marks.length }
    const request = await this.requestText(dialog, mark)
    const isKept = dialog.chatJsonPath === undefined
    if (isKept || (request !== undefined && previewOf(request) === mark.preview))
      return { mark, total: marks.length, request }
    return again
      ? this.requestAt(await this.#index.refreshOne(dialog, { fromStart: true }), index, false)
      : { mark, total: marks.length }
  }

  /** A row that is missing or cannot be understood is made again from the dialog's own file. */
  async #reading(dialog: Dialog): Promise<Reading> {
    const kept = await this.#store.findReading(dialog.key)
    if (kept) return kept
    await this.#index.refreshOne(dialog, { fromStart: true })
    const none: Reading = { sessionId: '', status: 'pending', marks: [], offset: 0 }
    return (await this.#store.findReading(dialog.key)) ?? none
  }
}

function cutTurns(turns: readonly BareTurn[], wanted: TurnsWanted): BareTurn[] {
  return turns.map((turn) => ({ ...turn, ...cutAnswer(turn.answer, wanted) }))
}
