import type { Log } from '@secretary-mcp/core/log.ts'
import type { Embedder } from '@secretary-mcp/search/embedder/embedder.ts'

/** A package of its own, because its weights and its runtime are larger than all of ours. */
const PACKAGE = 'secretary-embeddings'

export interface InstalledEmbedder {
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
