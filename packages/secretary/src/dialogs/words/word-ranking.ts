import { redact } from '@secretary-mcp/core/redact.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { type Mark, type ReadResult, requestsOf } from '@secretary-mcp/transcripts/dialog.ts'

const K1 = 1.2
const B = 0.75

export interface Scored<T> {
  readonly item: T
  readonly score: number
}

/** A text as it is searched: its words with a blank before and after each, and how many there are. */
export interface SearchedText {
  readonly words: string
  readonly length: number
}

export interface WordRanking<T> {
  add(item: T, text: SearchedText): void
  /** The best first; without those that hold none of the words. */
  ranked(): Scored<T>[]
}

interface Match<T> {
  readonly item: T
  readonly length: number
  readonly counts: readonly number[]
}

/** Made once for each text: taking it apart costs far more than looking for a word in it. */
export function searchedText(text: string): SearchedText {
  const words = wordsOf(text)
  return { words: ` ${words.join(' ')} `, length: words.length }
}

/** BM25 over texts: only those that hold one of the words are kept. */
export function wordRanking<T>(query: string): WordRanking<T> {
  const wanted = [...new Set(wordsOf(query))]
  const spaced = wanted.map((word) => ` ${word} `)
  const matches: Match<T>[] = []
  let texts = 0
  let words = 0
  return {
    add(item, text) {
      texts++
      words += text.length
      if (!spaced.some((word) => text.words.includes(word))) return
      const counts = spaced.map((word) => timesIn(text.words, word))
      matches.push({ item, length: text.length, counts })
    },
    ranked: () => scoredByRarity(matches, wanted, texts, words / Math.max(1, texts)),
  }
}

function scoredByRarity<T>(
  matches: readonly Match<T>[],
  wanted: readonly string[],
  texts: number,
  mean: number,
): Scored<T>[] {
  const rarity = wanted.map((_, place) => {
    const holding = matches.filter(({ counts }) => (counts[place] ?? 0) > 0).length
    return Math.log(1 + (texts - holding + 0.5) / (holding + 0.5))
  })
  const scored = matches.map(({ item, length, counts }) => {
    const weight = K1 * (1 - B + (B * length) / Math.max(1, mean))
    const score = counts.reduce(
      (sum, count, place) => sum + ((rarity[place] ?? 0) * count * (K1 + 1)) / (count + weight),
      0,
    )
    return { item, score }
  })
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
}

function timesIn(words: string, spaced: string): number {
  let times = 0
  // The blank behind a word is the one before the next.
  for (
    let at = words.indexOf(spaced);
    at !== -1;
    at = words.indexOf(spaced, at + spaced.length - 1)
  )
    times++
  return times
}

/** Words in small letters, compound names split, endings taken off, so that `themes` finds `darkTheme`. */
export function wordsOf(text: string): string[] {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return (split.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    CJK.test(word) ? pairsOf(word) : [stem(word)],
  )
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Scripts without spaces are searched by pairs of signs. */
function pairsOf(word: string): string[] {
  const signs = [...word]
  return signs.length < 2 ? signs : signs.slice(1).map((sign, place) => `${signs[place]}${sign}`)
}

function stem(word: string): string {
  if (/^[a-z]+$/.test(word))
    return word.length > 4 ? word.replace(/(ings?|ed|es|s|e)$/, '') : word.replace(/s$/, '')
  return word.length > 6 && /^\p{L}+$/u.test(word) ? word.slice(0, 6) : word
}

/** A request as a search by words needs it: kept, so that the first search does not read every dialog. */
export interface RequestWords extends SearchedText {
  /** Which mark of its dialog it is. */
  readonly mark: string
}

/** What one read of a dialog says of its requests. */
export interface WordsOfDialog {
  /** The marks that are requests now; words that were kept of any other are dropped. */
  readonly marks: readonly string[]
  /** Of those that were read just now. */
  readonly words: readonly RequestWords[]
}

/** Undefined if the reader does not tell the texts. */
export function wordsOfDialog(
  reading: Pick<ReadResult, 'marks' | 'helper'>,
  isWhole: boolean,
): WordsOfDialog | undefined {
  const requests = requestsOf(reading)
  if (isWhole && requests.some(({ text }) => text === undefined)) return undefined
  const words = requests.flatMap((mark) =>
    mark.text === undefined
      ? []
      : [{ mark: markName(mark), ...searchedRequest(redact(mark.text)) }],
  )
  return { marks: requests.map(markName), words }
}

/** What was typed counts more than what was pasted with it. */
export function searchedRequest(text: string): SearchedText {
  const typed = typedText(text)
  return searchedText(typed === text ? text : `${typed}\n${text}`)
}

/** Tells a mark from the others of its dialog. */
export function markName({ at, hint, path }: Mark): string {
  return [at, hint ?? '', path ?? ''].join(' ')
}
