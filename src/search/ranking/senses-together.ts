import type { Sense } from '../languages/senses.ts'
import { indexTerms } from '../text/index-terms.ts'
import { identifiersIn } from '../text/split-identifiers.ts'

const MOST_CONTENT_WORDS = 1_500
/** Words of a text within which the senses count as together: small words and filled-in names stand between them. */
const WORDS_FOR_EACH_SENSE = 2
const WORDS_BETWEEN = 3
/** Two words are a topic and stand together in many places; three count half. */
const FEWEST_SENSES = 3

export interface Passage {
  readonly id: number
  readonly fileId: number
  readonly content: string
}

/**
 * What one sentence asks, one place in the code says: translated words are in no English order and some are the wrong ones, so a chunk
 * that has several of them side by side says more than one that has all of them far apart.
 */
export function sensesTogether(
  senses: readonly Sense[],
  rarity: (term: string) => number,
  passages: readonly Passage[],
): Map<number, number> {
  const found = new Map<number, number>()
  const certainty = Math.min(1, (senses.length - FEWEST_SENSES + 1) / 2)
  if (certainty <= 0) return found
  const worth = worthOf(senses, rarity)
  for (const { fileId, content } of passages) {
    const share = certainty * shareTogether(senses, worth, content) ** 2
    if (share > (found.get(fileId) ?? 0)) found.set(fileId, share)
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

/** Of what the senses are worth, the largest share that stands within a few words; 0 where no two do. */
export function shareTogether(
  senses: readonly Sense[],
  worth: readonly number[],
  content: string,
): number {
  const total = worth.reduce((sum, value) => sum + value, 0)
  if (senses.length < 2 || total <= 0) return 0
  const meant = sensesByTerm(senses)
  const inWindow = new Map<number, number>()
  const window: { readonly at: number; readonly sense: number }[] = []
  const width = senses.length * WORDS_FOR_EACH_SENSE + WORDS_BETWEEN
  let sum = 0
  let best = 0
  identifiersIn(content)
    .slice(0, MOST_CONTENT_WORDS)
    .forEach((identifier, at) => {
      for (const sense of new Set(
        indexTerms(identifier).flatMap((term) => meant.get(term) ?? []),
      )) {
        window.push({ at, sense })
        const count = inWindow.get(sense) ?? 0
        if (count === 0) sum += worth[sense] ?? 0
        inWindow.set(sense, count + 1)
      }
      while (window[0] && window[0].at <= at - width) {
        const { sense } = window.shift() as { sense: number }
        const count = (inWindow.get(sense) ?? 1) - 1
        if (count === 0) {
          inWindow.delete(sense)
          sum -= worth[sense] ?? 0
        } else inWindow.set(sense, count)
      }
      if (inWindow.size > 1 && sum > best) best = sum
    })
  return best / total
}

function sensesByTerm(senses: readonly Sense[]): Map<string, number[]> {
  const meant = new Map<string, number[]>()
  senses.forEach(({ terms }, nth) => {
    for (const term of new Set(terms)) meant.set(term, [...(meant.get(term) ?? []), nth])
  })
  return meant
}
