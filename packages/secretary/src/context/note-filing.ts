import type { Note } from '@secretary-mcp/search/search-types.ts'

/** Puts notes into the index beside whatever goes on, those that came in meanwhile together. */
export class NoteFiling {
  readonly #put: (project: string, notes: readonly Note[]) => Promise<void>
  readonly #waiting = new Map<string, Note[]>()
  readonly #running = new Map<string, Promise<void>>()

  /** `put` does not reject. */
  constructor(put: (project: string, notes: readonly Note[]) => Promise<void>) {
    this.#put = put
  }

  add(project: string, note: Note): void {
    const waiting = this.#waiting.get(project)
    if (waiting) waiting.push(note)
    else this.#waiting.set(project, [note])
    if (!this.#running.has(project)) this.#running.set(project, this.#run(project))
  }

  /** Until everything that was added is in the index. */
  async done(project?: string): Promise<void> {
    if (project !== undefined) await this.#running.get(project)
    else await Promise.all(this.#running.values())
  }

  async #run(project: string): Promise<void> {
    // The call that brought the note is answered first.
    await nextTurn()
    for (let notes = this.#take(project); notes; notes = this.#take(project))
      await this.#put(project, notes)
    this.#running.delete(project)
  }

  #take(project: string): Note[] | undefined {
    const notes = this.#waiting.get(project)
    this.#waiting.delete(project)
    return notes
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
