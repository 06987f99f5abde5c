import type { Hit, IndexStore } from '../index-store.ts'
import { createSignMatrix, signsOf } from './sign-matrix.ts'
import { createVectorMatrix, lengthOf } from './vector-matrix.ts'

/** The vectors of a project's chunks: all of them in memory, or of very many only the signs. */
export interface ChunkVectors {
  readonly rows: number
  /** Adds what the store has gained. */
  load(modelId: string): Promise<void>
  near(query: Int8Array): Nearness
}

export interface Nearness {
  /** Best first. */
  nearest(limit: number): Promise<readonly Hit[]>
  /** Cosines by id; none for those that have no vector. */
  cosines(ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** Up to so many chunks every vector is compared: a few milliseconds, and a quarter of a kilobyte each. */
export const MOST_EXACT = 200_000
/** Of more, so many of the likeliest are. */
const LIKELY = 600
const PAGE = 500
const BLOCKS = 16
const BLOCK_ROWS = 4_096

export function createExactVectors(store: IndexStore): ChunkVectors {
  const matrix = createVectorMatrix()
  return {
    get rows() {
      return matrix.rows
    },
    load: (modelId) => loadPages(store, modelId, matrix),
    near(query) {
      const similarities = matrix.similarities(query)
      return {
        nearest: async (limit) => similarities.nearest(limit),
        cosines: async (ids) => new Map(ids.map((id) => [id, similarities.scoreOf(id)])),
      }
    },
  }
}

export function createSignedVectors(store: IndexStore): ChunkVectors {
  const matrix = createSignMatrix()
  let model = ''
  return {
    get rows() {
      return matrix.rows
    },
    async load(modelId) {
      model = modelId
      for (;;) {
        const blocks = await store.signBlocksAfter(modelId, matrix.lastId, BLOCKS)
        for (const block of blocks) matrix.addBlock(block)
        if (blocks.length < BLOCKS) break
      }
      await loadPages(store, modelId, matrix)
    },
    near(query) {
      const cosines = async (ids: readonly number[]) => {
        const norm = lengthOf(query) || 1
        const found = await store.vectorsOf(model, 'chunk', ids)
        return new Map(found.map(({ id, vector }) => [id, cosine(query, norm, vector)]))
      }
      return {
        cosines,
        async nearest(limit) {
          const likely = [...(await cosines(matrix.likely(query, Math.max(LIKELY, limit))))]
          return likely
            .map(([id, score]) => ({ id, score }))
            .sort((a, b) => b.score - a.score)
            .slice(0, limit)
        },
      }
    },
  }
}

/** Puts the signs of many vectors into one piece each, so that a server starts without reading them all. */
export async function foldSigns(
  store: IndexStore,
  modelId: string,
  blockRows = BLOCK_ROWS,
): Promise<void> {
  const { chunks } = await store.counts()
  const folded = createSignMatrix()
  for (;;) {
    const blocks = await store.signBlocksAfter(modelId, folded.lastId, BLOCKS)
    for (const block of blocks) folded.addBlock(block)
    if (blocks.length < BLOCKS) break
  }
  const isStale = folded.rows > chunks
  if (isStale) await store.dropSignBlocks(modelId)
  for (let last = isStale ? 0 : folded.lastId; ; ) {
    const page = await store.vectorsAfter(modelId, 'chunk', last, blockRows)
    // What does not fill a block is read vector by vector.
    if (page.length < blockRows) return
    const ids = Float64Array.from(page, ({ id }) => id)
    const signs = page.map(({ vector }) => signsOf(vector))
    await store.putSignBlock(modelId, { ids, signs: Buffer.concat(signs) })
    last = ids.at(-1) ?? last
  }
}

async function loadPages(
  store: IndexStore,
  modelId: string,
  matrix: { readonly lastId: number; add(id: number, vector: Int8Array): void },
): Promise<void> {
  for (;;) {
    const page = await store.vectorsAfter(modelId, 'chunk', matrix.lastId, PAGE)
    for (const { id, vector } of page) matrix.add(id, vector)
    if (page.length < PAGE) return
  }
}

function cosine(query: Int8Array, norm: number, vector: Int8Array): number {
  let product = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const cell = vector[at] as number
    product += cell * (query[at] as number)
    squares += cell * cell
  }
  return product / (norm * (Math.sqrt(squares) || 1))
}
