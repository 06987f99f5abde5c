import type { Embedder } from '../embedder/embedder.ts'
import type { IndexStore, VectorOwner } from '../search/index-store.ts'
import { quantise } from '../search/quantise.ts'

const BATCH = 512
const OWNERS: readonly VectorOwner[] = ['file', 'chunk', 'note']

/** Gives a vector of this model to everything that has none; what was done before an interruption stays done. */
export async function embedMissing(
  store: IndexStore,
  embedder: Embedder,
  signal?: AbortSignal,
  onBatch?: (done: number) => Promise<void>,
  owners: readonly VectorOwner[] = OWNERS,
): Promise<number> {
  let done = 0
  for (const owner of owners) {
    for (let last = 0; ; ) {
      signal?.throwIfAborted()
      const missing = await store.withoutVector(embedder.id, owner, last, BATCH)
      if (missing.length === 0) break
      const vectors = await embedder.embed(
        missing.map(({ text }) => text),
        signal,
      )
      await store.putVectors(
        embedder.id,
        owner,
        missing.map(({ id }, i) => ({ id, vector: quantise(vectors[i] ?? new Float32Array(embedder.dimension)) })),
      )
      done += missing.length
      last = missing.at(-1)?.id ?? last
      await onBatch?.(done)
    }
  }
  return done
}
