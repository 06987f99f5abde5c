import type { Hit, IndexStore, SignBlock } from '../index-store.ts'
import { highestFirst } from './highest-first.ts'
import {
  BLOCK,
  cellsUpTo,
  createVectorMatrix,
  lengthOf,
  newKernel,
  roomFor,
  type VectorKernel,
} from './vector-matrix.ts'

/** First by signs on both sides, which is quickest; then so many times the wanted, by the query's own cells. */
const WIDER = 16
/** Of each block so many rows are looked at to find how near the nearest are. */
const SAMPLE = 256
/** Rows are read in pieces of so many bytes. */
const PIECE = 16

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
export const MAX_EXACT = 200_000
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

/** Of each vector only the signs, an eighth of its size: enough to tell which of very many may be near. */
interface SignMatrix {
  readonly rows: number
  readonly lastId: number
  /** Like all that is added, in rising order of id. */
  add(id: number, vector: Int8Array): void
  addBlock(block: SignBlock): void
  /** The ids most likely to be near. */
  likely(query: Int8Array, limit: number): number[]
}

export function createSignMatrix(): SignMatrix {
  let kernel: VectorKernel | undefined
  /** Bytes of a row. */
  let width = 0
  let rows = 0
  /** The query's cells, its signs, what comes out of a block, chosen rows in a block, then all rows. */
  let cells = new Int8Array(0)
  let ids = new Float64Array(0)

  return {
    get rows() {
      return rows
    },
    get lastId() {
      return rows > 0 ? (ids[rows - 1] as number) : 0
    },
    add: (id, vector) => append(Float64Array.of(id), signsOf(vector)),
    addBlock: ({ ids, signs }) => append(ids, signs),
    likely(query, limit) {
      if (!kernel || widthOf(query.length) !== width) return []
      cells.fill(0, 0, width * 8)
      cells.set(query, 0)
      cells.set(signsOf(query), width * 8)
      const wide = nearestBySigns(kernel, limit * WIDER)
      const sums = weighed(kernel, wide)
      return highestFirst(sums, limit).map((nth) => ids[wide[nth] as number] as number)
    },
  }

  function append(added: Float64Array, signs: Uint8Array): void {
    const own = signs.length / added.length
    kernel ??= newKernel()
    width ||= own
    if (own !== width) return
    ids = roomFor(ids, rows + added.length, (capacity) => new Float64Array(capacity))
    cells = cellsUpTo(kernel, cells, startOf(rows + added.length))
    ids.set(added, rows)
    cells.set(signs, startOf(rows))
    rows += added.length
  }

  function nearestBySigns(own: VectorKernel, most: number): number[] {
    const chosen: number[] = []
    const block = new Int32Array(own.memory.buffer, outStart(), BLOCK)
    const mark = markFor(own, most)
    for (let first = 0; first < rows; first += BLOCK) {
      const count = Math.min(BLOCK, rows - first)
      const found = own.within(width * 8, width, startOf(first), count, outStart(), mark)
      for (let nth = 0; nth < found; nth++) chosen.push(first + (block[nth] as number))
    }
    return chosen
  }

  /** The distance within which about so many rows are, from a sample of all places. */
  function markFor({ memory, distances }: VectorKernel, most: number): number {
    const block = new Int32Array(memory.buffer, outStart(), SAMPLE)
    const counts = new Uint32Array(width * 8 + 1)
    let looked = 0
    for (let first = 0; first < rows; first += BLOCK) {
      const count = Math.min(SAMPLE, rows - first)
      distances(width * 8, width, startOf(first), count, outStart())
      for (let nth = 0; nth < count; nth++) (counts[block[nth] as number] as number)++
      looked += count
    }
    const wanted = (most * looked) / rows
    let mark = 0
    for (let sum = counts[0] as number; sum < wanted && mark < width * 8; )
      sum += counts[++mark] as number
    return mark
  }

  function weighed({ memory, signed }: VectorKernel, chosen: readonly number[]): Float32Array {
    const sums = new Float32Array(chosen.length)
    const block = new Int32Array(memory.buffer, outStart(), BLOCK)
    for (let first = 0; first < chosen.length; first += BLOCK) {
      const part = chosen.slice(first, first + BLOCK)
      part.forEach((row, nth) => {
        cells.copyWithin(chosenStart() + nth * width, startOf(row), startOf(row + 1))
      })
      signed(0, width * 8, chosenStart(), part.length, outStart())
      sums.set(block.subarray(0, part.length), first)
    }
    return sums
  }

  function outStart(): number {
    return width * 9
  }

  function chosenStart(): number {
    return outStart() + BLOCK * Int32Array.BYTES_PER_ELEMENT
  }

  function startOf(row: number): number {
    return chosenStart() + (BLOCK + row) * width
  }
}

function signsOf(vector: Int8Array): Uint8Array {
  const signs = new Uint8Array(widthOf(vector.length))
  for (let at = 0; at < vector.length; at++)
    if ((vector[at] as number) > 0) (signs[at >> 3] as number) |= 1 << (at & 7)
  return signs
}

function widthOf(dimension: number): number {
  return Math.ceil(dimension / 8 / PIECE) * PIECE
}
