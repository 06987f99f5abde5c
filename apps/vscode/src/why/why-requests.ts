import { relative, sep } from 'node:path'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { TextDocument } from 'vscode'
import type { Companions } from '../server/companions.ts'
import { projectFolders } from '../server/project-folders.ts'

/** A request that led to a line. */
export interface Reason {
  readonly sessionId: string
  readonly source: SourceName
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

const MAX_KEPT = 500

/** Asks the server which requests led to a line; what was asked of the same text is answered again. */
export class WhyRequests {
  readonly #companions: Companions
  readonly #known = new Map<string, Promise<readonly Reason[]>>()

  constructor(companions: Companions) {
    this.#companions = companions
  }

  /** `line` from 1; nothing where the file is in none of the window's folders. */
  async of({ uri, version }: TextDocument, line: number): Promise<readonly Reason[]> {
    const folder = projectFolders().find(({ path }) => uri.fsPath.startsWith(`${path}${sep}`))
    if (uri.scheme !== 'file' || !folder) return []
    const key = `${uri.fsPath} ${version} ${line}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_KEPT) this.#known.clear()
    const file = relative(folder.path, uri.fsPath).replaceAll('\\', '/')
    const asked = this.#companions
      .of(folder.path)
      .get<{ requests: Reason[] }>('dialogs/why', { file, line })
      .then(
        ({ requests }) => {
          // The server may not have read yet what was done: nothing is no answer to keep.
          if (requests.length === 0) this.#known.delete(key)
          return requests
        },
        () => {
          this.#known.delete(key)
          return []
        },
      )
    this.#known.set(key, asked)
    return asked
  }
}
