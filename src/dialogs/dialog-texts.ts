import { type Dialog, type Mark, type Reading, requestsOf, type Turn } from './dialog.ts'
import type { DialogIndex } from './dialog-index.ts'
import type { DialogStore } from './dialog-store.ts'
import { previewOf } from './preview.ts'
import { isWanted } from './reading/gather-turns.ts'
import { reasonFor } from './reading/reason-for.ts'
import type { TurnsWanted } from './source.ts'

/** What stands in a dialog, read from its own file by its source. */
export class DialogTexts {
  readonly #index: DialogIndex
  readonly #store: DialogStore

  constructor(index: DialogIndex, store: DialogStore) {
    this.#index = index
    this.#store = store
  }

  async marks(dialog: Dialog): Promise<Mark[]> {
    return requestsOf(await this.#reading(dialog))
  }

  /** The full text; undefined where the file is gone or no longer what it was. */
  async requestText({ chatJsonPath, source }: Dialog, mark: Mark): Promise<string | undefined> {
    if (chatJsonPath === undefined) return undefined
    // A file that was deleted or shut a moment ago is no exception, only no longer there.
    return this.#index
      .sourceOf({ source })
      ?.text(chatJsonPath, mark)
      .catch(() => undefined)
  }

  /** With a part wanted, only that part; where the source allows it, only that part is read. */
  async *turns(dialog: Dialog, wanted: TurnsWanted = {}): AsyncGenerator<Turn> {
    const { chatJsonPath: path, key, size, mtimeMs, sessionId, project } = dialog
    const source = this.#index.sourceOf(dialog)
    if (!source || path === undefined) return
    const reading = await this.#reading(dialog)
    try {
      for await (const turn of source.turns(
        { key, path, size, mtimeMs },
        reading,
        this.#index.context,
        wanted,
      ))
        if (isWanted(turn.position, wanted))
          yield { ...turn, sessionId, project, source: source.name }
    } catch (error) {
      // One file that is gone or broken must not end a walk over all of them.
      this.#index.context.warn(path, reasonFor(error))
    }
  }

  /** A text that does not begin as the index says lies in a file that was rewritten just now: it is read anew, once. */
  async requestAt(
    dialog: Dialog,
    index: number,
    again = true,
  ): Promise<{ mark?: Mark; total: number; request?: string }> {
    const marks = await this.marks(dialog)
    const mark = marks[index - 1]
    if (!mark) return { total: marks.length }
    const request = await this.requestText(dialog, mark)
    if (request !== undefined && previewOf(request) === mark.preview)
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
