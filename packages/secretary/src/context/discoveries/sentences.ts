export interface Sentence {
  readonly text: string
  /** The sentences on either side, within the same text. */
  readonly around: string
}

const MIN_LENGTH = 8
const MAX_LENGTH = 300
/** People do not always begin with a capital letter; scripts without spaces have none. */
const SENTENCE_END =
  /(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|z\.B|т\.е|т\.д)\.)\s+(?=\S)|(?<=[。！？])/u

/** Prose only: code blocks, quoted output, tables and questions hold no decisions. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text
    .split('```')
    .filter((_, place) => place % 2 === 0)
    .join('\n')
    .replace(
      /^[ \t]*(?:>|\||\d{1,9}[ \t]{0,20}\||at[ \t]{1,20}\S{1,300}[ \t]{0,5}\(|[+-]{3}\s|@@).*$/gm,
      '',
    )
  const all = prose
    .split(/\n+/)
    .flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+|^#+\s+/, '').split(SENTENCE_END))
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
        sentence.length >= MIN_LENGTH && sentence.length <= MAX_LENGTH && !/[?？]$/.test(sentence),
    )
}
