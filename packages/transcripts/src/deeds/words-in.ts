import { redact } from '@secretary-mcp/core/redact.ts'

const WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}{2,}/gu
/** The same where every letter is a plain one, as in most code; the first takes five times as long. */
const PLAIN_WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const PLAIN = /^[\u0000-\u007f]*$/
const SHORTEST = 4
const MAX_TEXT = 40_000

/** Words of code and of prose that tell nothing about what they are about. */
const EMPTY = new Set(
  (
    'this that with from have will would should could must when then than what which where there here they them their your ours ' +
    'into onto over under also just only some more most such each every other another same make made makes sure need needs want ' +
    'please like does done doing been being were about after before again still very much many well even both either ' +
    'import export const return function async await class interface type readonly string number boolean undefined null true false ' +
    'else case break switch default throw catch public private static void self none elif pass lambda print func struct impl ' +
    'create change update file files code line lines given take keep work works'
  ).split(' '),
)

/** The words of a text, split where names are put together, the most frequent first. */
export function wordsIn(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const counts = new Map<string, number>()
  const clean = redact(text.slice(0, MAX_TEXT))
  const isPlain = PLAIN.test(clean)
  for (const word of clean.match(isPlain ? PLAIN_WORD : WORD) ?? []) {
    const small = word.toLowerCase()
    if (!isTelling(small, isPlain)) continue
    counts.set(small, (counts.get(small) ?? 0) + 1)
  }
  const words = [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word)
  return words.slice(0, most)
}

/** Whether two words have one root, near enough: `greeting` and `greets`. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const shorter = Math.min(one.length, other.length)
  const shared = Math.max(SHORTEST, shorter - 3)
  return shorter > SHORTEST && one.slice(0, shared) === other.slice(0, shared)
}

function isTelling(word: string, isPlain: boolean): boolean {
  if (word.length < SHORTEST && (isPlain || !/\p{Lo}/u.test(word))) return false
  return !EMPTY.has(word)
}
