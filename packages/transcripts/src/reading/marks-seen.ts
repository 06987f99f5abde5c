import type { Mark } from '../dialog.ts'

/** What marks there may be: in a dialog of many thousands none is looked for that cannot be there. */
export class MarksSeen {
  readonly #ids = new Set<string>()
  readonly #previews = new Set<string>()
  #hasQueued = false

  constructor(marks: readonly Mark[]) {
    for (const mark of marks) this.add(mark)
  }

  add({ id, preview, queued }: Mark): void {
    if (id !== undefined) this.#ids.add(id)
    this.#previews.add(preview)
    this.#hasQueued ||= queued !== undefined
  }

  mayHaveQueued(): boolean {
    return this.#hasQueued
  }

  mayHaveId(id: string | undefined): boolean {
    return id !== undefined && this.#ids.has(id)
  }

  mayHavePreview(preview: string): boolean {
    return this.#previews.has(preview)
  }
}
