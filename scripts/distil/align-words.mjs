// Which word of one language stands for which of another: IBM Model 1 over pairs of sentences, given as lists of words, in both directions.

const ROUNDS = 6
const NOTHING = ''

/** For each word of `from`, the words of `to` with their probability. */
export function translationTable(pairs) {
  let table
  for (let round = 0; round < ROUNDS; round++) {
    const counts = new Map()
    for (const [from, to] of pairs) {
      const sources = [NOTHING, ...from]
      for (const word of to) {
        const chances = sources.map((source) =>
          table ? (table.get(source)?.get(word) ?? 1e-9) : 1,
        )
        const sum = chances.reduce((a, b) => a + b, 0)
        sources.forEach((source, nth) => {
          const row = counts.get(source) ?? new Map()
          counts.set(source, row)
          row.set(word, (row.get(word) ?? 0) + chances[nth] / sum)
        })
      }
    }
    for (const row of counts.values()) {
      let sum = 0
      for (const count of row.values()) sum += count
      for (const [word, count] of row) {
        if (round > 1 && count / sum < 1e-4) row.delete(word)
        else row.set(word, count / sum)
      }
    }
    table = counts
  }
  return table
}
