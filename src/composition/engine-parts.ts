import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { VectorCache } from '../context/embedder/vector-cache.ts'
import type { SearchEngineParts } from '../context/search-engine.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import { packageRoot } from '../core/package-root.ts'

/** What a project's search engine is made of, as the configuration wants it. The packages behind it are heavy: loaded here, not before. */
export async function openEngineParts(
  config: Config,
  project: string,
  log: Log,
): Promise<SearchEngineParts> {
  const [{ createChunker }, { installedGrammars }, { createStaticEmbedder, MINILM_STATIC }, store] =
    await Promise.all([
      import('../context/indexer/chunker.ts'),
      import('../context/syntax/grammars.ts'),
      import('../context/embedder/static-embedder.ts'),
      openStore(config, realOr(project), log),
    ])
  const builtIn = createStaticEmbedder({
    ...MINILM_STATIC,
    path: join(packageRoot(), 'assets/embeddings', MINILM_STATIC.file),
  })
  const remote = await remoteEmbedder(config, store.vectorCache)
  return {
    root: project,
    store,
    chunker: createChunker({ grammars: installedGrammars(), log }),
    embedder: remote ?? builtIn,
    formerEmbedders: remote ? [builtIn] : [],
    platform: process.platform,
    pid: process.pid,
    log,
  }
}

async function openStore({ home, databaseUrl }: Config, project: string, log: Log) {
  if (databaseUrl) {
    const { openPostgresIndexStore } = await import(
      '../storage/postgres/search-index/postgres-index-store.ts'
    )
    const host = hostname()
    // The same path on another machine is another project.
    return openPostgresIndexStore({ url: databaseUrl, project: `${host}:${project}`, host, log })
  }
  const { openSqliteIndexStore } = await import(
    '../storage/sqlite/search-index/sqlite-index-store.ts'
  )
  const name = createHash('sha256').update(project).digest('hex').slice(0, 24)
  return openSqliteIndexStore(join(home, 'index', `${name}.db`), log)
}

async function remoteEmbedder(
  { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: apiKey }: Config,
  cache: VectorCache,
) {
  if (!url) return undefined
  const { createRemoteEmbedder } = await import('../context/embedder/remote-embedder.ts')
  return createRemoteEmbedder({ url, model, apiKey, cache })
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
