import type { Embedder } from './embedder.ts'
import { readStaticTable, type StaticTable } from './static-table.ts'
import { createWordPieces } from './word-pieces.ts'

/** Beyond this many word pieces a text's mean no longer moves. */
const MOST_PIECES = 512

/** The default embedder: no key, no download, no server. The table is read on first use. */
export function createStaticEmbedder(table: {
  readonly path: string | URL
  readonly id: string
  readonly dimension: number
}): Embedder {
  let loaded: Promise<(text: string) => Float32Array> | undefined
  const load = () => {
    loaded ??= readStaticTable(table.path).then(vectorOf)
    return loaded
  }
  return {
    id: table.id,
    dimension: table.dimension,
    isEnglishOnly: true,
    async embed(texts, signal) {
      const embedOne = await load()
      signal?.throwIfAborted()
      return texts.map(embedOne)
    },
    warmUp: async () => void (await load())('warm up'),
  }
}

export const MINILM_STATIC = {
  id: 'minilm-static-256-v2',
  dimension: 256,
  file: 'minilm-static.bin',
} as const

function vectorOf(table: StaticTable): (text: string) => Float32Array {
  const rowsOf = createWordPieces(table.rowOf)
  const { dimension, rows, scales } = table
  /** All zero between two texts. */
  const counts = new Uint16Array(scales.length)
  return (text) => {
    const sum = new Float32Array(dimension)
    const pieces = rowsOf(text)
    const length = Math.min(pieces.length, MOST_PIECES)
    // Code repeats itself: each row is added once, as often as it occurs.
    for (let i = 0; i < length; i++)
      counts[pieces[i] as number] = (counts[pieces[i] as number] as number) + 1
    for (let i = 0; i < length; i++) {
      const row = pieces[i] as number
      const count = counts[row] as number
      if (count > 0) addRow(sum, rows, row * dimension, (scales[row] as number) * count)
      counts[row] = 0
    }
    return normalise(sum)
  }
}

function addRow(sum: Float32Array, rows: Int8Array, start: number, factor: number): void {
  for (let d = 0; d < sum.length; d++)
    sum[d] = (sum[d] as number) + (rows[start + d] as number) * factor
}

/** In place: the vector is ours. A zero vector stays zero. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) * factor
  return vector
}
