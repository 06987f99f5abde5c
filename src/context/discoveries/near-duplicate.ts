const DUPLICATE_SHARE = 0.8
/** A note with one of these and one without say opposite things in the same words. */
const TURNS_IT_ROUND =
  /^(?:not?|never|none|without|longer|instead|stop|don|doesn|isn|aren|won|shouldn|mustn|cannot|can|before|after|\p{N}+)$/u

/** Whether two notes say the same in nearly the same words. */
export function isNearDuplicate(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  if (first.size === 0 || second.size === 0) return a.trim() === b.trim()
  const shared = [...first].filter((word) => second.has(word)).length
  if ((2 * shared) / (first.size + second.size) <= DUPLICATE_SHARE) return false
  const differing = [...first, ...second].filter((word) => !(first.has(word) && second.has(word)))
  return !differing.some((word) => TURNS_IT_ROUND.test(word))
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}
