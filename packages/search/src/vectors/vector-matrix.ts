import { highestFirst } from './highest-first.ts'
import { VECTOR_PRODUCTS } from './vector-products.wasm.ts'

/** Vectors in memory, in rising order of id, to be compared by angle. */
export interface VectorMatrix {
  readonly rows: number
  readonly lastId: number
  /** The vectors come in rising order of id. */
  add(id: number, vector: Int8Array): void
  /** The cosine of the query with every row there is now. */
  similarities(query: Int8Array): Similarities
}

export interface Similarities {
  /** In the order of the rows. */
  readonly scores: Float32Array
  idOf(row: number): number
  /** 0 when the id is not here. */
  scoreOf(id: number): number
  /** Best first. */
  nearest(limit: number): { readonly id: number; readonly score: number }[]
}

/** The first vector decides the dimension; those of another are left out. */
export function createVectorMatrix(): VectorMatrix {
  let dimension = 0
  /** Of the matrix, made with its first vector: first the query, then the products of a block, then the rows. */
  let kernel: VectorKernel | undefined
  let stride = 0
  let rows = 0
  let cells = new Int8Array(0)
  let ids = new Float64Array(0)
  let norms = new Float32Array(0)

  return {
    get rows() {
      return rows
    },
    get lastId() {
      return rows > 0 ? (ids[rows - 1] as number) : 0
    },
    add(id, vector) {
      const own = kernel ?? begin(vector.length)
      if (vector.length !== dimension) return
      ids = roomFor(ids, rows + 1, (capacity) => new Float64Array(capacity))
      norms = roomFor(norms, rows + 1, (capacity) => new Float32Array(capacity))
      cells = cellsUpTo(own, cells, startOf(rows + 1))
      cells.set(vector, startOf(rows))
      ids[rows] = id
      norms[rows] = lengthOf(vector)
      rows++
    },
    similarities(query) {
      const scores = new Float32Array(rows)
      if (kernel && query.length === dimension) compare(kernel, query, scores)
      const idOf = (row: number) => ids[row] as number
      return {
        scores,
        idOf,
        scoreOf: (id) => scores[rowOf(id)] ?? 0,
        nearest: (limit) =>
          highestFirst(scores, limit).map((row) => ({
            id: idOf(row),
            score: scores[row] as number,
          })),
      }
    },
  }

  function compare(
    { memory, products }: VectorKernel,
    query: Int8Array,
    scores: Float32Array,
  ): void {
    const norm = lengthOf(query)
    cells.set(query, 0)
    const block = new Int32Array(memory.buffer, stride, BLOCK)
    for (let first = 0; first < rows; first += BLOCK) {
      const count = Math.min(BLOCK, rows - first)
      products(0, stride, startOf(first), count, stride)
      for (let nth = 0; nth < count; nth++) {
        const length = (norms[first + nth] as number) * norm
        scores[first + nth] = length > 0 ? (block[nth] as number) / length : 0
      }
    }
  }

  function begin(length: number): VectorKernel {
    dimension = length
    stride = Math.ceil(length / STEP) * STEP
    kernel = newKernel()
    cells = new Int8Array(kernel.memory.buffer)
    return kernel
  }

  function startOf(row: number): number {
    return stride + BLOCK * Int32Array.BYTES_PER_ELEMENT + row * stride
  }

  function rowOf(id: number): number {
    let low = 0
    let high = rows - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = ids[middle] as number
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

export function lengthOf(vector: Int8Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}

/** Instructions with a memory of their own; `length` is a multiple of `STEP`. */
export interface VectorKernel {
  readonly memory: WebAssembly.Memory
  products: Compare
  signed: Compare
  distances: Compare
  within(...places: [...Parameters<Compare>, most: number]): number
}

type Compare = (query: number, length: number, row: number, count: number, out: number) => void

/** The instructions take so many cells at once. */
const STEP = 16
/** Rows compared in one go: their products fit into the processor's nearest cache. */
export const BLOCK = 4096
const PAGE_BYTES = 65_536

let compiled: WebAssembly.Module | undefined

export function newKernel(): VectorKernel {
  compiled ??= new WebAssembly.Module(Buffer.from(VECTOR_PRODUCTS, 'base64'))
  const { memory, products, signed, distances, within } = new WebAssembly.Instance(compiled).exports
  return {
    memory: memory as WebAssembly.Memory,
    products: products as Compare,
    signed: signed as Compare,
    distances: distances as Compare,
    within: within as VectorKernel['within'],
  }
}

/** The memory grows where it lies: nothing is copied, whatever is asked for at once. */
export function cellsUpTo(
  { memory }: VectorKernel,
  cells: Int8Array<ArrayBuffer>,
  end: number,
): Int8Array<ArrayBuffer> {
  if (end <= cells.length) return cells
  memory.grow(Math.ceil((end - cells.length) / PAGE_BYTES))
  return new Int8Array(memory.buffer)
}

/** Room for one more, with some to spare. */
export function roomFor<A extends Float64Array | Float32Array>(
  held: A,
  count: number,
  make: (capacity: number) => A,
): A {
  if (count <= held.length) return held
  const larger = make(Math.max(64, Math.ceil(count * 1.2)))
  larger.set(held)
  return larger
}
