/** Below this many rows an exact scan is fast enough and needs no signatures. */
const EXACT_ROWS = 8192
/** How many candidates of the signature scan are compared exactly, for each result wanted. */
const OVERSAMPLING = 4

/** Vectors in memory, in rising order of id, to be compared by angle. */
export interface VectorMatrix {
  readonly rows: number
  readonly lastId: number
  /** Says how many rows there will be, so that room is made once. */
  expect(count: number): void
  add(id: number, vector: Int8Array): void
  /** Compares a query with one row at a time: the cosine, or 0 when the id is not here. */
  comparer(query: Int8Array): (id: number) => number
  /** Cosine with every row, by id. */
  similarities(query: Int8Array): Map<number, number>
  /** The nearest rows, best first. */
  nearest(query: Int8Array, limit: number): { readonly id: number; readonly score: number }[]
  clear(): void
}

/** The first vector decides the dimension; those of another are left out. */
export function createVectorMatrix(): VectorMatrix {
  let dimension = 0
  let words = 0
  let capacity = 0
  let expected = 0
  let rows = 0
  let ids = new Float64Array(0)
  let norms = new Float32Array(0)
  let cells = new Int8Array(0)
  let signatures = new Int32Array(0)

  return {
    get rows() {
      return rows
    },
    get lastId() {
      return rows > 0 ? (ids[rows - 1] as number) : 0
    },
    expect(count) {
      expected = count
    },
    add(id, vector) {
      if (rows === 0) {
        dimension = vector.length
        words = Math.ceil(dimension / 32)
      }
      if (vector.length !== dimension) return
      if (rows === capacity) grow()
      let squares = 0
      for (let d = 0; d < dimension; d++) {
        const value = vector[d] as number
        squares += value * value
        if (value > 0) signatures[rows * words + (d >> 5)] = (signatures[rows * words + (d >> 5)] as number) | (1 << (d & 31))
      }
      ids[rows] = id
      norms[rows] = Math.sqrt(squares)
      cells.set(vector, rows * dimension)
      rows++
    },
    comparer(query) {
      const norm = lengthOf(query)
      return (id) => {
        const row = rowOf(id)
        return row < 0 ? 0 : cosine(query, norm, row)
      }
    },
    similarities(query) {
      const all = new Map<number, number>()
      const norm = lengthOf(query)
      for (let row = 0; row < rows; row++) all.set(ids[row] as number, cosine(query, norm, row))
      return all
    },
    nearest(query, limit) {
      const candidates = rows <= EXACT_ROWS ? undefined : bySignature(query, limit * OVERSAMPLING)
      const norm = lengthOf(query)
      const scored: { id: number; score: number }[] = []
      const count = candidates?.length ?? rows
      for (let i = 0; i < count; i++) {
        const row = candidates ? (candidates[i] as number) : i
        scored.push({ id: ids[row] as number, score: cosine(query, norm, row) })
      }
      return scored.sort((a, b) => b.score - a.score).slice(0, limit)
    },
    clear() {
      rows = 0
      capacity = 0
      ids = new Float64Array(0)
      norms = new Float32Array(0)
      cells = new Int8Array(0)
      signatures = new Int32Array(0)
    },
  }

  function cosine(query: Int8Array, queryNorm: number, row: number): number {
    const norm = (norms[row] as number) * queryNorm
    return norm > 0 ? product(query, cells, row * dimension, dimension) / norm : 0
  }

  /** The rows whose signs agree most with the query's: a count by Hamming distance, then everything up to the wanted number. */
  function bySignature(query: Int8Array, wanted: number): Int32Array {
    const signature = new Int32Array(words)
    for (let d = 0; d < dimension; d++)
      if ((query[d] as number) > 0) signature[d >> 5] = (signature[d >> 5] as number) | (1 << (d & 31))
    const distances = new Uint16Array(rows)
    const histogram = new Uint32Array(dimension + 1)
    // Held here, because what a closure may replace is looked up anew for every element.
    const table = signatures
    for (let row = 0, at = 0; row < rows; row++) {
      let distance = 0
      for (let w = 0; w < signature.length; w++, at++) distance += bitCount((table[at] as number) ^ (signature[w] as number))
      distances[row] = distance
      histogram[distance] = (histogram[distance] as number) + 1
    }
    let limit = 0
    for (let seen = 0; limit <= dimension && seen < wanted; limit++) seen += histogram[limit] as number
    const kept: number[] = []
    for (let row = 0; row < rows; row++) if ((distances[row] as number) < limit) kept.push(row)
    return Int32Array.from(kept)
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

  function grow(): void {
    capacity = Math.max(64, Math.ceil(expected * 1.02), Math.ceil(capacity * 1.2))
    ids = extended(ids, new Float64Array(capacity))
    norms = extended(norms, new Float32Array(capacity))
    cells = extended(cells, new Int8Array(capacity * dimension))
    signatures = extended(signatures, new Int32Array(capacity * words))
  }
}

/** Of the query and the vector that begins at `start`. Whole numbers stay exact; four sums need not wait for each other. */
function product(query: Int8Array, table: Int8Array, start: number, length: number): number {
  const whole = length & ~3
  let [a, b, c, d] = [0, 0, 0, 0]
  let at = 0
  for (let from = start; at < whole; at += 4, from += 4) {
    a = (a + Math.imul(query[at] as number, table[from] as number)) | 0
    b = (b + Math.imul(query[at + 1] as number, table[from + 1] as number)) | 0
    c = (c + Math.imul(query[at + 2] as number, table[from + 2] as number)) | 0
    d = (d + Math.imul(query[at + 3] as number, table[from + 3] as number)) | 0
  }
  for (; at < length; at++) a = (a + Math.imul(query[at] as number, table[start + at] as number)) | 0
  return a + b + c + d
}

function lengthOf(vector: Int8Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}

function extended<A extends Float64Array | Float32Array | Int8Array | Int32Array>(from: A, to: A): A {
  to.set(from)
  return to
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
