import type { Embedder } from '../embedder/embedder.ts'
import type { IndexStore } from '../index-store.ts'
import { foldSigns, MOST_EXACT } from '../vectors/chunk-vectors.ts'

/** How many chunks there were when common terms were last counted. */
const COUNTED = 'common terms counted at'
const LITTLE = 0.02

/** What makes a search in a large project quick, and is not worth keeping up to date with every change. */
export async function prepareLarge(
  { store, embedder }: { readonly store: IndexStore; readonly embedder: Embedder },
  hasChanged: boolean,
  signal?: AbortSignal,
): Promise<void> {
  const { chunks } = await store.counts()
  const counted = Number((await store.mark(COUNTED)) ?? 0)
  if (hasChanged || Math.abs(chunks - counted) > chunks * LITTLE) {
    await store.countCommonTerms()
    await store.setMark(COUNTED, String(chunks))
  }
  if (chunks <= MOST_EXACT) return
  await foldSigns(store, embedder.id)
  await store.scoreCommonTerms(signal)
}
