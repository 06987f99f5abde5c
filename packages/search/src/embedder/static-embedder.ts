import { readFile } from 'node:fs/promises'
import { identifiersIn, ownCopy, splitIdentifier } from '../text/index-terms.ts'
import type { Embedder } from './embedder.ts'

const KNOWN_LIMIT = 8_000
const MAX_WORD = 40

/** Beyond this many word pieces a text's mean no longer moves. */
const MAX_PIECES = 512

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
    const length = Math.min(pieces.length, MAX_PIECES)
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

/** The distilled table: one int8 row and one scale for each word or word piece. Written by scripts/distil-embeddings.mjs. */
interface StaticTable {
  readonly id: string
  readonly dimension: number
  readonly rowOf: ReadonlyMap<string, number>
  readonly scales: Float32Array
  readonly rows: Int8Array
}

interface Head {
  readonly id: string
  readonly dimension: number
  readonly words: number
  readonly textBytes: number
}

async function readStaticTable(path: string | URL): Promise<StaticTable> {
  return decodeStaticTable(await readFile(path))
}

export function decodeStaticTable(file: Buffer): StaticTable {
  const headEnd = file.indexOf(10)
  const head = JSON.parse(file.toString('utf8', 0, headEnd)) as Head
  const textEnd = headEnd + 1 + head.textBytes
  const scalesEnd = textEnd + head.words * 4
  if (file.length !== scalesEnd + head.words * head.dimension)
    throw new Error('the embeddings table is incomplete')
  const words = file.toString('utf8', headEnd + 1, textEnd).split('\n')
  return {
    id: head.id,
    dimension: head.dimension,
    rowOf: new Map(words.map((word, row) => [word, row])),
    // Copied, because floats need an aligned offset and the file gives none.
    scales: new Float32Array(new Uint8Array(file.subarray(textEnd, scalesEnd)).buffer),
    rows: new Int8Array(file.buffer, file.byteOffset + scalesEnd, head.words * head.dimension),
  }
}

/** Finds the rows of a text in a word-piece vocabulary: whole words first, otherwise the longest pieces from the left. */
export function createWordPieces(rowOf: ReadonlyMap<string, number>): (text: string) => number[] {
  const known = new Map<string, readonly number[]>()

  return function rowsOf(text) {
    const rows: number[] = []
    for (const identifier of identifiersIn(text)) {
      for (const row of known.get(identifier) ?? remember(identifier)) rows.push(row)
    }
    return rows
  }

  function remember(identifier: string): readonly number[] {
    const rows = splitIdentifier(identifier).flatMap(piecesOf)
    if (known.size >= KNOWN_LIMIT) known.clear()
    known.set(ownCopy(identifier), rows)
    return rows
  }

  function piecesOf(word: string): number[] {
    const whole = rowOf.get(word)
    if (whole !== undefined) return [whole]
    if (word.length > MAX_WORD) return []
    const rows: number[] = []
    for (let start = 0; start < word.length; ) {
      let end = word.length
      let row: number | undefined
      while (end > start && row === undefined)
        row = rowOf.get((start ? '##' : '') + word.slice(start, end--))
      // The model has no piece for this letter: the word as a whole is unknown to it.
      if (row === undefined) return []
      rows.push(row)
      start = end + 1
    }
    return rows
  }
}
