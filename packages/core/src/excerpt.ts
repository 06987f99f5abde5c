/** One line of an excerpt; `marked` where words of the query stand in it. */
interface ExcerptLine {
  readonly text: string
  readonly marked: boolean
}

interface Excerpt {
  /** How many lines were left out before it. */
  readonly skipped: number
  readonly lines: readonly ExcerptLine[]
  /** How many were left out after it. */
  readonly left: number
}

const SHORTEST_WORD = 2
const SHORTEST_STEM = 5
const ENDING = 2
const MAX_WORDS = 40

/** The lines of a text that say most of a query, in a window of at most `most` lines; the first ones where none does. */
export function excerptOf(text: string, query: string, most: number): Excerpt {
  const lines = text.split('\n')
  const words = queryWords(query)
  const found = lines.map((line) => wordsIn(line, words))
  const start = bestStart(found, words, most)
  const shown = lines.slice(start, start + most)
  return {
    skipped: start,
    lines: shown.map((line, at) => ({
      text: line,
      marked: (found[start + at]?.length ?? 0) > 0,
    })),
    left: Math.max(0, lines.length - start - most),
  }
}

/** The parts of a text between which the words of a query stand, and these words themselves: every second one is marked. */
export function splitAtWords(text: string, query: string): string[] {
  const words = queryWords(query)
  if (words.length === 0) return [text]
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text.split(new RegExp(`((?:${pattern})[\\p{L}\\p{N}]*)`, 'iu'))
}

/** What to look for: the words of the query without the small ones, longer ones by their stem. */
export function queryWords(query: string): string[] {
  const all = query.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []
  const parts = all.flatMap((word) => [word, ...word.split(/[_$]/)])
  const telling = parts.filter((word) => word.length >= SHORTEST_WORD && !SMALL.has(word))
  const stems = telling.map((word) =>
    word.length > SHORTEST_STEM
      ? word.slice(0, Math.max(SHORTEST_STEM, word.length - ENDING))
      : word,
  )
  return [...new Set(stems)].slice(0, MAX_WORDS)
}

function wordsIn(line: string, words: readonly string[]): string[] {
  const lower = line.toLowerCase()
  return words.filter((word) => lower.includes(word))
}

/** Where the window begins that holds most different words, then most hits; it opens a line before the first of them. */
function bestStart(
  found: readonly (readonly string[])[],
  words: readonly string[],
  most: number,
): number {
  const last = Math.max(0, found.length - most)
  const weights = new Map(words.map((word) => [word, word.length * rarity(found, word)]))
  const inWindow = new Map<string, number>()
  let [hits, distinct] = [0, 0]
  const count = (line: readonly string[], by: 1 | -1) => {
    for (const word of line) {
      const before = inWindow.get(word) ?? 0
      inWindow.set(word, before + by)
      hits += by
      // It is the first of its word in the window, or was the last.
      if (before + Math.min(by, 0) === 0) distinct += by * (weights.get(word) ?? 0)
    }
  }
  for (const line of found.slice(0, most)) count(line, 1)
  let best = { start: 0, worth: 0 }
  for (let start = 0; start <= last; start++) {
    if (start > 0) {
      count(found[start - 1] ?? [], -1)
      count(found[start + most - 1] ?? [], 1)
    }
    const worth = distinct + hits / 1_000
    // Sums of fractions differ by what rounding left over.
    if (worth > best.worth + 1e-9) best = { start, worth }
  }
  if (best.worth === 0) return 0
  const first = found.findIndex((hits, at) => at >= best.start && hits.length > 0)
  return Math.min(last, Math.max(0, first - 1))
}

function rarity(found: readonly (readonly string[])[], word: string): number {
  return 1 / (1 + Math.log2(1 + found.filter((hits) => hits.includes(word)).length))
}

const SMALL = new Set(
  'the an of to in on is are be do does did it its and or for with by as at from this that what how why when where which who can not you we our my'.split(
    ' ',
  ),
)

/** The beginning of a text, without half a word at its end, and with “…” for what is missing. */
export function endedAtWord(cut: string, whole: string): string {
  const next = whole[cut.length]
  const isWhole = next !== undefined && /\s/.test(next)
  const word = isWhole ? cut : cut.replace(/(?<!\s)\s+\S*$/, '')
  // A language without spaces, or one endless word, is cut where it must be.
  const kept = word.length < cut.length / 2 ? cut : word
  return `${kept.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/, '')}…`
}
