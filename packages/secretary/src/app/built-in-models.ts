import { join } from 'node:path'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import type { Embedder } from '@secretary-mcp/search/embedder/embedder.ts'
import type { Bridges } from '@secretary-mcp/search/languages/bridge.ts'

let embedder: Embedder | undefined
let bridges: Bridges | undefined

/** One for all projects of this process: its table is large. */
export async function builtInEmbedder(): Promise<Embedder> {
  const { createStaticEmbedder, MINILM_STATIC } = await import(
    '@secretary-mcp/search/embedder/static-embedder.ts'
  )
  const path = join(packageRoot(), 'assets/embeddings', MINILM_STATIC.file)
  embedder ??= createStaticEmbedder({ ...MINILM_STATIC, path })
  return embedder
}

export async function builtInBridges(): Promise<Bridges> {
  const { createBridges } = await import('@secretary-mcp/search/languages/bridge.ts')
  bridges ??= createBridges(join(packageRoot(), 'assets/bridges'))
  return bridges
}
