import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Embedder, VectorCache } from '@secretary-mcp/search/embedder/embedder.ts'
import type { SearchEngineParts } from '@secretary-mcp/search/search-engine.ts'
import { builtInBridges, builtInEmbedder } from './built-in-models.ts'

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

/** A package of its own, because its weights and its runtime are larger than all of ours. */
const PACKAGE = 'secretary-embeddings'

interface InstalledEmbedder {
  /** Missing where the package is not installed or cannot be used. */
  readonly embedder?: Embedder
  /** Why it cannot be used although it is installed. */
  readonly problem?: string
}

/** Reads notes with a transformer where that package is installed beside ours. */
export async function installedEmbedder(
  log: Log,
  name: string = PACKAGE,
): Promise<InstalledEmbedder> {
  try {
    const { createEmbedder } = (await import(name)) as { createEmbedder: () => Embedder }
    return { embedder: createEmbedder() }
  } catch (error) {
    if (isNotInstalled(error, name)) return {}
    log.warn({ error: String(error) }, `${PACKAGE} is installed, but cannot be used`)
    return { problem: `${PACKAGE} is installed, but cannot be used` }
  }
}

/** A package with a part missing is not found either, but it is there. */
function isNotInstalled(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    code === 'ERR_MODULE_NOT_FOUND' && (message ?? '').includes(`Cannot find package '${name}'`)
  )
}
