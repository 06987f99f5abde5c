import type { Disposable } from 'vscode'
import type { Log } from '../../../../src/core/log.ts'
import type { Dashboard } from './dashboard.ts'

/** The dashboard, loaded when it is first opened. */
export class LazyDashboard implements Disposable {
  readonly #extensionPath: string
  readonly #log: Log
  #loaded?: Promise<Dashboard>

  constructor(extensionPath: string, log: Log) {
    this.#extensionPath = extensionPath
    this.#log = log
  }

  async open(): Promise<void> {
    this.#loaded ??= import('../first-use.ts').then(
      ({ firstUse }) => new firstUse.Dashboard(this.#extensionPath, this.#log),
    )
    await (await this.#loaded).open()
  }

  dispose(): void {
    this.#loaded?.then(
      (dashboard) => dashboard.dispose(),
      () => {},
    )
  }
}
