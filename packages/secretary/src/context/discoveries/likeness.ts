import { createHash } from 'node:crypto'

/** From this share of common words on, a note speaks of the same thing as an older one. */
const LIKE_SHARE = 0.7

export interface Worded {
  readonly words: ReadonlySet<string>
}

export function worded(content: string): Worded {
  return { words: new Set(wordsOf(content)) }
}

/** Whether two notes speak of the same thing, whatever they say of it. */
export function isLike({ words: first }: Worded, { words: second }: Worded): boolean {
  const all = first.size + second.size
  if (2 * Math.min(first.size, second.size) < LIKE_SHARE * all) return false
  let shared = 0
  for (const word of first) if (second.has(word)) shared++
  return shared > 0 && 2 * shared >= LIKE_SHARE * all
}

/**
 * The same for notes that say the same: case, punctuation and articles aside, the same words in the same order. A different
 * number, name or negation says something else, and so does another order.
 */
export function saidOf(content: string): string {
  const words = wordsOf(content)
  const telling = words.filter((word) => !/^(?:a|an|the)$/.test(word))
  return createHash('sha256').update(telling.join(' ')).digest('hex').slice(0, 32)
}

function wordsOf(content: string): string[] {
  return content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [content.trim()]
}
