import { STOP_WORDS, stem } from '../text/english.ts'
import { indexTerms } from '../text/index-terms.ts'

/** A word of a question in another language, by the terms under which a project may know it. */
export interface Sense {
  readonly terms: readonly string[]
  /** What it means was looked up; otherwise it counts as it is written. */
  readonly isTranslated: boolean
}

/** A bridge gives them for verbs, reflexive ones and those that only help another; they say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  'make do cause herself himself itself myself ourselves themselves yourself yourselves'
    .split(' ')
    .map(stem),
)
/** Of so many words one may be known by chance. */
const SEVERAL = 3

/** The translated words, and the terms of the question that none of them accounts for: names, and what no bridge knows. */
export function sensesOf(
  meanings: readonly (readonly string[])[],
  terms: ReadonlyMap<string, number>,
): Sense[] {
  const translated = new Map<string, Sense>()
  for (const words of meanings) {
    const own = words.flatMap(indexTerms).filter(isTelling)
    if (own.length > 0) translated.set(own.join(' '), { terms: own, isTranslated: true })
  }
  const accounted = new Set([...translated.values()].flatMap((sense) => sense.terms))
  const others = [...terms.keys()].filter((term) => isTelling(term) && !accounted.has(term))
  return [...translated.values(), ...others.map((term) => ({ terms: [term], isTranslated: false }))]
}

/**
 * A word that stands for several others (`tiempo` is time and weather) says something only beside another one that the project
 * knows. A word that is in the project as it is written was not mistaken for another.
 */
export function isCoincidence(
  senses: readonly Sense[],
  isKnown: (term: string) => boolean,
): boolean {
  const known = senses.filter(({ terms }) => terms.some(isKnown))
  return senses.length >= SEVERAL && known.length < 2 && known.every((one) => one.isTranslated)
}

function isTelling(term: string): boolean {
  return term.length > 1 && !STOP_WORDS.has(term) && !EMPTY_WORDS.has(term)
}
