import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Embedder, quantise } from '../embedder/embedder.ts'
import type { IndexStore, VectorOwner } from '../index-store.ts'

const BATCH = 64
const OWNERS: readonly VectorOwner[] = ['file', 'chunk', 'note']

export interface EmbedOptions {
  readonly signal?: AbortSignal
  readonly owners?: readonly VectorOwner[]
  /** Look only above the last id that has a vector: enough after a small change, because ids rise and vectors are made in their order. */
  readonly newOnly?: boolean
}

/** Gives a vector of this model to everything that has none; what was done before an interruption stays done. */
export async function embedMissing(
  store: IndexStore,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<number> {
  const { signal, owners = OWNERS, newOnly = false } = options
  if (!newOnly && (await hasAll(store, embedder, owners))) return 0
  let done = 0
  for (const owner of owners) {
    for (let last = newOnly ? await store.lastVectorId(embedder.id, owner) : 0; ; ) {
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
        missing.map(({ id }, i) => ({
          id,
          vector: quantise(vectors[i] ?? new Float32Array(embedder.dimension)),
        })),
      )
      done += missing.length
      last = missing.at(-1)?.id ?? last
      // Searches that came in meanwhile are answered between two batches.
      await nextTurn()
    }
  }
  return done
}

/** To look for what is missing among a million texts takes seconds, to compare two counts nothing. */
async function hasAll(
  store: IndexStore,
  { id }: Embedder,
  owners: readonly VectorOwner[],
): Promise<boolean> {
  const { files, chunks, notes } = await store.counts()
  const wanted = { file: files, chunk: chunks, note: notes }
  const total = owners.reduce((sum, owner) => sum + wanted[owner], 0)
  return ((await store.vectorCounts()).get(id) ?? 0) === total
}
