import type { Disposable } from 'vscode'
import { Companion } from './companion.ts'
import { projectFolders } from './project-folders.ts'
import { databaseOf, type ServerParts, serverProgram } from './server-program.ts'

/** One server process for each folder of the window, started when it is first asked something. */
export class Companions implements Disposable {
  readonly #parts: ServerParts
  readonly #all = new Map<string, Companion>()

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  /** That of the window: its first folder, or none. */
  get main(): Companion {
    return this.of(projectFolders()[0]?.path)
  }

  of(folder: string | undefined): Companion {
    const known = this.#all.get(folder ?? '')
    if (known) return known
    const companion = new Companion(async () => {
      const program = serverProgram(this.#parts, folder)
      return { ...program, env: { ...program.env, ...(await databaseOf(this.#parts)) } }
    })
    this.#all.set(folder ?? '', companion)
    return companion
  }

  /** With new settings they start again. */
  dispose(): void {
    for (const companion of this.#all.values()) companion.dispose()
    this.#all.clear()
  }
}
