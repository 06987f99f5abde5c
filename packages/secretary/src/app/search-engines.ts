import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import { indexAside } from './index-aside.ts'

/** One search engine for each project, opened when first asked for: its packages are heavy and a start must not wait for them. */
export class SearchEngines {
  readonly #open = new Map<string, Promise<SearchEngine>>()
  readonly #config: Config
  readonly #log: Log

  constructor(config: Config, log: Log) {
    this.#config = config
    this.#log = log
  }

  of(project: string): Promise<SearchEngine> {
    const known = this.#open.get(project)
    if (known !== undefined) return known
    const opening = this.#create(project)
    this.#open.set(project, opening)
    opening.catch(() => void this.#open.delete(project))
    return opening
  }

  /** The next to ask gets one over a newly opened index. */
  async reopen(project: string): Promise<void> {
    const engine = await this.#open.get(project)?.catch(() => undefined)
    this.#open.delete(project)
    await engine?.close()
  }

  async close(): Promise<void> {
    const engines = await Promise.all(
      [...this.#open.values()].map((engine) => engine.catch(() => undefined)),
    )
    this.#open.clear()
    await Promise.all(engines.map((engine) => engine?.close()))
  }

  async #create(project: string): Promise<SearchEngine> {
    const [{ createSearchEngine }, { openEngineParts }] = await Promise.all([
      import('@secretary-mcp/search/search-engine.ts'),
      import('./engine-parts.ts'),
    ])
    const parts = await openEngineParts(this.#config, project, this.#log)
    return createSearchEngine({
      ...parts,
      indexAside: parts.store.isPrivate ? undefined : indexAside(this.#config, project, this.#log),
    })
  }
}
