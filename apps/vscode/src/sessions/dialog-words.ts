import type { Dialogs } from '@secretary-mcp/secretary/dialogs/dialogs.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { PREVIEW_LENGTH } from '@secretary-mcp/transcripts/preview.ts'

/** Full texts are read from the files one by one; a search that had to open more would take too long to wait for. */
const MAX_READ = 5_000

/** Finds dialogs by what was asked in them. */
export class DialogWords {
  readonly #dialogs: Dialogs

  constructor(dialogs: Dialogs) {
    this.#dialogs = dialogs
  }

  /** Those with a title or a request that holds all the words, in the order given. */
  async matching<D extends Dialog>(dialogs: readonly D[], words: string): Promise<D[]> {
    const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const holds = (text: string) => {
      const lower = text.toLocaleLowerCase()
      return wanted.every((word) => lower.includes(word))
    }
    const found: D[] = []
    let left = MAX_READ
    for (const dialog of dialogs) {
      const read = await this.#matches(dialog, holds, left)
      left -= read.opened
      if (read.matches) found.push(dialog)
    }
    return found
  }

  async #matches(
    dialog: Dialog,
    holds: (text: string) => boolean,
    most: number,
  ): Promise<{ matches: boolean; opened: number }> {
    if (holds(dialog.title ?? '')) return { matches: true, opened: 0 }
    let opened = 0
    for (const mark of await this.#dialogs.texts.marks(dialog)) {
      if (holds(mark.preview)) return { matches: true, opened }
      if (mark.preview.length < PREVIEW_LENGTH - 1 || opened >= most) continue
      opened++
      if (holds((await this.#dialogs.texts.requestText(dialog, mark)) ?? ''))
        return { matches: true, opened }
    }
    return { matches: false, opened }
  }
}
