/** Shorter cuts are copied by the engine itself. */
const SHORTEST_CUT = 13

/** A word that will be remembered for long: as cut from a text it would keep the whole text in memory with it. */
export function ownCopy(word: string): string {
  return word.length < SHORTEST_CUT ? word : Buffer.from(word).toString()
}
