import { stem } from '../text/stem.ts'
import { STOP_WORDS } from '../text/stop-words.ts'

const FEWEST_WORDS = 3
const MOST_WORDS = 80
const MOST_CONTENT_WORDS = 1_200
/** A small word stands everywhere. */
const SMALL_WORTH = 0.35
/** What stands between two words that match costs little: there a name or a number was filled in. */
const GAP = 0.15
/** Below this share a text only uses some of the same words in the same order. */
const LEAST_SHARE = 0.65

const QUESTION = /^(?:how|where|what|which|why|when|who|does|do|is|are|can)\b/i

/** The words of what may have been pasted: a question is asked in a person's own words. */
export function pastedWords(text: string): string[] {
  return QUESTION.test(text.trim()) ? [] : messageWords(text)
}

/** The words of a message in their order; what was filled in (numbers, quotes, braces) falls out with its signs. */
function messageWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}]+(?:'[\p{L}]+)?/gu) ?? []).filter(
    (word) => word.length > 1 || /\p{Lo}/u.test(word),
  )
}

/**
 * How much of a message stands in a text, word after word: 1 where all of it does. Other words may stand
 * between, as where a placeholder was filled in; words in another order do not count.
 */
export function pastedShare(message: readonly string[], content: string): number {
  if (message.length < FEWEST_WORDS) return 0
  const asked = message.slice(0, MOST_WORDS)
  const worth = asked.map((word) => (STOP_WORDS.has(stem(word)) ? SMALL_WORTH : 1))
  const total = worth.reduce((sum, one) => sum + one, 0)
  const known = new Set(asked)
  const words = messageWords(content).slice(0, MOST_CONTENT_WORDS)
  if (!words.some((word) => known.has(word))) return 0
  // Local alignment: the best that ends at each word of the message, for the words of the content so far.
  let row = new Float32Array(asked.length + 1)
  let best = 0
  for (const word of words) {
    const next = new Float32Array(asked.length + 1)
    for (let at = 1; at <= asked.length; at++) {
      const gained = word === asked[at - 1] ? (row[at - 1] ?? 0) + (worth[at - 1] ?? 0) : 0
      const value = Math.max(0, gained, (row[at] ?? 0) - GAP, (next[at - 1] ?? 0) - GAP)
      next[at] = value
      if (value > best) best = value
    }
    row = next
  }
  const share = best / total
  return share < LEAST_SHARE ? 0 : share
}
