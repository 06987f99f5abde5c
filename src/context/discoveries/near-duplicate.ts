const DUPLICATE_SHARE = 0.8
/** A note with one of these and one without say opposite things in the same words. */
const TURNS_IT_ROUND =
  /^(?:not?|never|none|without|longer|instead|stop|don|doesn|isn|aren|won|shouldn|mustn|cannot|can|before|after|\p{N}+)$/u

export interface Worded {
  readonly content: string
  readonly words: ReadonlySet<string>
}

/** Whether two notes say the same in nearly the same words. */
export function isNearDuplicate(a: Worded, b: Worded): boolean {
  const [first, second] = [a.words, b.words]
  if (first.size === 0 || second.size === 0) return a.content.trim() === b.content.trim()
  const most = (2 * Math.min(first.size, second.size)) / (first.size + second.size)
  if (most <= DUPLICATE_SHARE) return false
  const shared = [...first].filter((word) => second.has(word)).length
  if ((2 * shared) / (first.size + second.size) <= DUPLICATE_SHARE) return false
  const differing = [...first, ...second].filter((word) => !(first.has(word) && second.has(word)))
  return !differing.some((word) => TURNS_IT_ROUND.test(word))
}

export function worded(content: string): Worded {
  return { content, words: new Set(content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) }
}
