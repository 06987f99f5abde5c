import { ownCopy } from '../text/own-copy.ts'
import { identifiersIn, splitIdentifier } from '../text/split-identifiers.ts'

const KNOWN_LIMIT = 8_000
const LONGEST_WORD = 40

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
    if (word.length > LONGEST_WORD) return []
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
