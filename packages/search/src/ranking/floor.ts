/**
 * What is left of an answer that has none. A result that shares no word, name or path with the
 * query is there for its meaning alone, and the nearest of all passages is near to nothing in
 * particular where the query is about something else. The marks were set on the shared queries, none
 * of which loses a right result by them, and on queries about nothing: docs/search.md has both.
 */
export interface Footing {
  /** Shares a word, a name or a part of the path with the query. */
  readonly hasWords: boolean
  /** Cosine with the query; undefined where there are no vectors. */
  readonly nearness: number | undefined
}

/** Near enough for a query of which no word occurs in the project. */
const NEAR_WITHOUT_WORDS = 0.55
const NEAR_BESIDE_WORDS = 0.25
/** A common word of a query whose telling words are unknown is chance, unless the meaning speaks for it. */
const LITTLE_COVERED = 0.3
const NEAR_NOTHING = 0.12

/** A translated word may be the wrong one of several (`tiempo` is time and weather): more must speak for it. */
const LITTLE_COVERED_TRANSLATED = 0.42
const NEAR_NOTHING_TRANSLATED = 0.22

/** `covered`: how much of what the query's words tell is known to the project, from 0 to 1. */
export function isWorthShowing(
  { hasWords, nearness }: Footing,
  covered: number,
  isTranslated = false,
): boolean {
  if (nearness === undefined) return hasWords
  if (hasWords && isTranslated)
    return covered >= LITTLE_COVERED_TRANSLATED || nearness >= NEAR_NOTHING_TRANSLATED
  if (hasWords) return covered >= LITTLE_COVERED || nearness >= NEAR_NOTHING
  return nearness >= (covered > 0 ? NEAR_BESIDE_WORDS : NEAR_WITHOUT_WORDS)
}

/** Short texts are farther from everything. */
const NOTE_NEAR_WITHOUT_WORDS = 0.34
const NOTE_NEAR_BESIDE_WORDS = 0.15

/** `othersMatch`: some note shares a word with the query. */
export function isNoteWorthShowing(footing: Footing, othersMatch: boolean): boolean {
  if (footing.hasWords) return true
  const least = othersMatch ? NOTE_NEAR_BESIDE_WORDS : NOTE_NEAR_WITHOUT_WORDS
  return (footing.nearness ?? 0) >= least
}
