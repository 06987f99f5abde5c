export interface Sentence {
  readonly text: string
  /** The sentences on either side, within the same text. */
  readonly around: string
}

const SHORTEST = 12
const LONGEST = 500

/** Prose only: code blocks, quoted output, tables and questions hold no decisions. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text
    .split('```')
    .filter((_, place) => place % 2 === 0)
    .join('\n')
    .replace(/^[ \t]*(>|\||\d+\s*\||at\s+\S+\s*\(|[+-]{3}\s|@@).*$/gm, '')
  const all = prose
    .split(/\n+/)
    .flatMap((line) =>
      line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+|^#+\s+/, '').split(/(?<=[.!?])\s+(?=[\p{Lu}`"'(])/u),
    )
    .map((sentence) =>
      sentence
        .replace(/\s+/g, ' ')
        .replace(/\*\*|__/g, '')
        .trim(),
    )
    .filter(Boolean)
  return all
    .map((sentence, place) => ({
      text: sentence,
      around: [all[place - 1], sentence, all[place + 1]].filter(Boolean).join(' '),
    }))
    .filter(
      ({ text: sentence }) =>
        sentence.length >= SHORTEST && sentence.length <= LONGEST && !sentence.endsWith('?'),
    )
}
