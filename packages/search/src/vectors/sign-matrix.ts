import type { SignBlock } from '../index-store.ts'
import { highestFirst } from './highest-first.ts'
import { BLOCK, cellsUpTo, newKernel, roomFor, type VectorKernel } from './vector-kernel.ts'

/** Of each vector only the signs, an eighth of its size: enough to tell which of very many may be near. */
export interface SignMatrix {
  readonly rows: number
  readonly lastId: number
  /** Like all that is added, in rising order of id. */
  add(id: number, vector: Int8Array): void
  addBlock(block: SignBlock): void
  /** The ids most likely to be near. */
  likely(query: Int8Array, limit: number): number[]
}

/** First by signs on both sides, which is quickest; then so many times the wanted, by the query's own cells. */
const WIDER = 16
/** Of each block so many rows are looked at to find how near the nearest are. */
const SAMPLE = 256
/** Rows are read in pieces of so many bytes. */
const PIECE = 16

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

export function signsOf(vector: Int8Array): Uint8Array {
  const signs = new Uint8Array(widthOf(vector.length))
  for (let at = 0; at < vector.length; at++)
    if ((vector[at] as number) > 0) (signs[at >> 3] as number) |= 1 << (at & 7)
  return signs
}

function widthOf(dimension: number): number {
  return Math.ceil(dimension / 8 / PIECE) * PIECE
}
