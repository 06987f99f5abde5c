import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { VectorCache } from '../context/embedder/vector-cache.ts'
import type { SearchEngine } from '../context/search-engine.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import { packageRoot } from '../core/package-root.ts'

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
    const [{ createSearchEngine }, { createChunker }, { createStaticEmbedder, MINILM_STATIC }, store] = await Promise.all([
      import('../context/search-engine.ts'),
      import('../context/indexer/chunker.ts'),
      import('../context/embedder/static-embedder.ts'),
      this.#openStore(realOr(project)),
    ])
    const require = createRequire(import.meta.url)
    const log = this.#log
    const table = { ...MINILM_STATIC, path: join(packageRoot(), 'assets/embeddings', MINILM_STATIC.file) }
    const builtIn = createStaticEmbedder(table)
    const remote = await this.#remoteEmbedder(store.vectorCache)
    return createSearchEngine({
      root: project,
      store,
      chunker: createChunker({
        grammarFolder: join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm'),
        runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
        log,
      }),
      embedder: remote ?? builtIn,
      formerEmbedders: remote ? [builtIn] : [],
      platform: process.platform,
      pid: process.pid,
      log,
    })
  }

  async #openStore(project: string) {
    const { home, databaseUrl } = this.#config
    if (databaseUrl) {
      const { openPostgresIndexStore } = await import('../storage/postgres/search-index/postgres-index-store.ts')
      const host = hostname()
      // The same path on another machine is another project.
      return openPostgresIndexStore({ url: databaseUrl, project: `${host}:${project}`, host, log: this.#log })
    }
    const { openSqliteIndexStore } = await import('../storage/sqlite/search-index/sqlite-index-store.ts')
    const name = createHash('sha256').update(project).digest('hex').slice(0, 24)
    return openSqliteIndexStore(join(home, 'index', `${name}.db`), this.#log)
  }

  async #remoteEmbedder(cache: VectorCache) {
    const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: apiKey } = this.#config
    if (!url) return undefined
    const { createRemoteEmbedder } = await import('../context/embedder/remote-embedder.ts')
    return createRemoteEmbedder({ url, model, apiKey, cache })
  }
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
