import type { Sense } from '../languages/senses.ts'
import { STOP_WORDS } from '../text/english.ts'
import { identifiersIn, indexTerms } from '../text/index-terms.ts'

const FEWEST_SENSES = 2
/** Two words are a topic as often as a message. */
const SURE_SENSES = 3
const UNSURE = 0.5

export interface Passage {
  readonly id: number
  readonly fileId: number
  readonly content: string
}

/**
 * Where a program says what was asked in another language: translated words are in no English order and some are the wrong ones, but a
 * message stands in the code as a text of its own, with nothing else in it. How much the best text of each file is like it.
 */
export function saidIn(
  senses: readonly Sense[],
  rarity: (term: string) => number,
  passages: readonly Passage[],
): Map<number, number> {
  const found = new Map<number, number>()
  if (senses.length < FEWEST_SENSES) return found
  const certainty = senses.length < SURE_SENSES ? UNSURE : 1
  const worth = worthOf(senses, rarity)
  for (const { fileId, content } of passages) {
    const likeness = certainty * likestText(senses, worth, content) ** 2
    if (likeness > (found.get(fileId) ?? 0)) found.set(fileId, likeness)
  }
  return found
}

/** A sense is as rare as the commonest of its words; one that the project does not know counts as much as the others on average. */
function worthOf(senses: readonly Sense[], rarity: (term: string) => number): number[] {
  const known = senses.map(({ terms }) =>
    Math.min(...terms.map(rarity).filter((value) => Number.isFinite(value))),
  )
  const finite = known.filter(Number.isFinite)
  const mean = finite.reduce((sum, value) => sum + value, 0) / (finite.length || 1)
  return known.map((value) => (Number.isFinite(value) ? value : mean))
}

/** Dice's coefficient of the senses and the words of the text that has most in common with them; 0 where none has two. */
export function likestText(
  senses: readonly Sense[],
  worth: readonly number[],
  content: string,
): number {
  const total = sumOf(worth)
  if (total <= 0) return 0
  const meant = sensesByTerm(senses)
  let best = 0
  for (const text of textsIn(content)) {
    const there = new Set<number>()
    let others = 0
    for (const word of identifiersIn(text)) {
      const terms = indexTerms(word)
      const meanings = terms.flatMap((term) => meant.get(term) ?? [])
      for (const nth of meanings) there.add(nth)
      if (meanings.length === 0 && terms.some((term) => !STOP_WORDS.has(term))) others++
    }
    if (there.size < FEWEST_SENSES) continue
    const shared = sumOf([...there].map((nth) => worth[nth] ?? 0))
    const own = shared + (others * total) / worth.length
    best = Math.max(best, (2 * shared) / (total + own))
  }
  return best
}

function sensesByTerm(senses: readonly Sense[]): Map<string, number[]> {
  const meant = new Map<string, number[]>()
  senses.forEach(({ terms }, nth) => {
    for (const term of new Set(terms)) meant.set(term, [...(meant.get(term) ?? []), nth])
  })
  return meant
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** A text that goes on in the next line: `"one " ⏎ "two"`, with `+`, `.` or `\` between where the language wants it. */
const GOES_ON =
  /(["'`])[ \t]{0,4}[+.\\]?[ \t]{0,4}\r?\n[ \t]{0,120}(?:[+.] {0,4})?[a-z]{0,2}\1(?!\1)/g
/** What stands inside a text of markup without ending it. */
const INLINE = /<\/?(?:a|b|br|code|em|i|small|span|strong)\b[^<>]{0,200}>|\{\{[^{}]{0,80}\}\}/gi
const TEXTS =
  /"((?:[^"\\\n]|\\.){8,600})"|'((?:[^'\\\n]|\\.){8,600})'|`([^`]{8,600})`|[>}]([^<>{}=;]{8,600})[<{]/g
/** Names, paths and addresses in quotes have no blanks. */
const TWO_WORDS = /\p{L}\s+\S{0,40}\p{L}/u

/** The texts in a piece of code that people are shown: what stands in quotes, and between the marks of a template. */
export function textsIn(content: string): string[] {
  return [...content.replace(GOES_ON, '').replace(INLINE, ' ').matchAll(TEXTS)]
    .map(([, double, single, template, markup]) => double ?? single ?? template ?? markup ?? '')
    .filter((text) => TWO_WORDS.test(text))
}
