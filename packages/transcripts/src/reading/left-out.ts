import type { Log } from '@secretary-mcp/core/log.ts'

const MOST = 1000

/** Parts of dialogs that could not be read: each is logged once. */
export class LeftOut {
  readonly #log: Pick<Log, 'warn'>
  readonly #said = new Set<string>()

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  get all(): readonly string[] {
    return [...this.#said]
  }

  readonly add = (path: string, why: string): void => {
    const said = `${path}: ${why}`
    if (this.#said.has(said)) return
    if (this.#said.size > MOST) this.#said.clear()
    this.#said.add(said)
    this.#log.warn({ path, why }, 'part of a dialog was left out')
  }
}
