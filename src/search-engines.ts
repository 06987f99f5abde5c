import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SearchEngine } from './context/search-engine.ts'
import type { Config } from './core/config/config.ts'
import type { Log } from './core/log.ts'
import { packageRoot } from './core/package-root.ts'

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
    if (known) return known
    const opening = this.#create(project)
    this.#open.set(project, opening)
    opening.catch(() => this.#open.delete(project))
    return opening
  }

  async close(): Promise<void> {
    const engines = await Promise.all([...this.#open.values()].map((engine) => engine.catch(() => undefined)))
    this.#open.clear()
    await Promise.all(engines.map((engine) => engine?.close()))
  }

  async #create(project: string): Promise<SearchEngine> {
    const [{ createSearchEngine }, { createChunker }, { createStaticEmbedder, MINILM_STATIC }, { openSqliteIndexStore }] =
      await Promise.all([
        import('./context/search-engine.ts'),
        import('./context/indexer/chunker.ts'),
        import('./context/embedder/static-embedder.ts'),
        import('./storage/sqlite/search-index/sqlite-index-store.ts'),
      ])
    const require = createRequire(import.meta.url)
    const log = this.#log
    return createSearchEngine({
      root: project,
      store: openSqliteIndexStore(indexFile(this.#config.home, project), log),
      chunker: createChunker({
        grammarFolder: join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm'),
        runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
        log,
      }),
      embedder: createStaticEmbedder({ ...MINILM_STATIC, path: join(packageRoot(), 'assets/embeddings', MINILM_STATIC.file) }),
      platform: process.platform,
      pid: process.pid,
      log,
    })
  }
}

function indexFile(home: string, project: string): string {
  const name = createHash('sha256').update(realOr(project)).digest('hex').slice(0, 24)
  return join(home, 'index', `${name}.db`)
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
