import { readFile } from 'node:fs/promises'

/** The distilled table: one int8 row and one scale for each word or word piece. Written by scripts/distil-embeddings.mjs. */
export interface StaticTable {
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

export async function readStaticTable(path: string | URL): Promise<StaticTable> {
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
