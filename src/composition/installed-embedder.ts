import type { Log } from '../core/log.ts'
import type { Embedder } from '../search/embedder/embedder.ts'

/** A package of its own, because its weights and its runtime are larger than all of ours. */
const PACKAGE = 'secretary-embeddings'

/** Reads notes with a transformer where that package is installed beside ours. */
export async function installedEmbedder(
  log: Log,
  name: string = PACKAGE,
): Promise<Embedder | undefined> {
  try {
    const { createEmbedder } = (await import(name)) as { createEmbedder: () => Embedder }
    return createEmbedder()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND')
      log.warn({ error: String(error) }, `${PACKAGE} is installed, but cannot be used`)
    return undefined
  }
}
