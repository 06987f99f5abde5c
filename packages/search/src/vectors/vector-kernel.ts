import { VECTOR_PRODUCTS } from './vector-products.wasm.ts'

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
export const STEP = 16
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
