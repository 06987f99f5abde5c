/** A chunk and what a term adds to its score; a pair, because there are very many. */
export type Scored = readonly [id: number, score: number]

/** What one term adds to the score of each chunk that has it: two or three bytes a chunk. */
export interface ScoreList {
  /** The score that the highest byte stands for. */
  readonly most: number
  readonly bytes: Uint8Array
}

const HIGHEST = 255
/** Steps between ids are written seven bits to a byte, the lowest first; the high bit says that more follow. */
const BITS = 7
const MORE = 1 << BITS
const LONGEST = 6

/** The chunks come in order of id. */
export function packScores(hits: readonly Scored[]): ScoreList {
  const most = hits.reduce((highest, [, score]) => Math.max(highest, score), 0) || 1
  const bytes = new Uint8Array(hits.length * LONGEST)
  let at = 0
  let last = 0
  for (const [id, score] of hits) {
    let step = id - last
    for (; step >= MORE; step = Math.floor(step / MORE)) bytes[at++] = (step % MORE) | MORE
    bytes[at++] = step
    bytes[at++] = Math.max(1, Math.round((score / most) * HIGHEST))
    last = id
  }
  return { most, bytes: bytes.subarray(0, at) }
}

/** Adds each chunk's score at the place of its id. */
export function addScores({ most, bytes }: ScoreList, sums: Float32Array): void {
  const unit = most / HIGHEST
  let id = 0
  for (let at = 0; at < bytes.length; ) {
    let shift = 0
    let byte = bytes[at++] as number
    while (byte >= MORE) {
      id += (byte - MORE) * 2 ** shift
      shift += BITS
      byte = bytes[at++] as number
    }
    id += shift === 0 ? byte : byte * 2 ** shift
    ;(sums[id] as number) += (bytes[at++] as number) * unit
  }
}
