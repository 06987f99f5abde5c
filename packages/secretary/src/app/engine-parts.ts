import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { VectorCache } from '@secretary-mcp/search/embedder/embedder.ts'
import type { SearchEngineParts } from '@secretary-mcp/search/search-engine.ts'
import { builtInBridges, builtInEmbedder } from './built-in-models.ts'
import { installedEmbedder } from './installed-embedder.ts'

/** What a project's search engine is made of, as the configuration wants it. The packages behind it are heavy: loaded here, not before. */
export async function openEngineParts(
  config: Config,
  project: string,
  log: Log,
): Promise<SearchEngineParts> {
  const [{ createChunker }, { installedGrammars }, builtIn, bridges, store] = await Promise.all([
    import('@secretary-mcp/search/chunks/chunker.ts'),
    import('@secretary-mcp/search/syntax/grammars.ts'),
    builtInEmbedder(),
    builtInBridges(),
    openStore(config, realOr(project), log),
  ])
  const remote = await remoteEmbedder(config, store.vectorCache)
  // A service that the configuration names reads notes, too.
  const notes = remote ? {} : await installedEmbedder(log)
  return {
    root: project,
    store,
    chunker: createChunker({ grammars: installedGrammars(), log }),
    embedder: remote ?? builtIn,
    noteEmbedder: notes.embedder,
    noteEmbedderProblem: notes.problem,
    formerEmbedders: remote ? [builtIn] : [],
    bridges,
    platform: process.platform,
    pid: process.pid,
    log,
  }
}

/** Always a file of this machine, which has the checkout, whatever the database. */
async function openStore({ home }: Config, project: string, log: Log) {
  const { openSqliteIndexStore } = await import('@secretary-mcp/search/index/sqlite-index-store.ts')
  const name = createHash('sha256').update(project).digest('hex').slice(0, 24)
  return openSqliteIndexStore(join(home, 'index', `${name}.db`), log)
}

async function remoteEmbedder(
  { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: apiKey }: Config,
  cache: VectorCache,
) {
  if (!url) return undefined
  const { createRemoteEmbedder } = await import('@secretary-mcp/search/embedder/remote-embedder.ts')
  return createRemoteEmbedder({ url, model, apiKey, cache })
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
