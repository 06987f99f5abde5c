import { indexTerms } from '../text/index-terms.ts'
import { type Language, lightStem } from '../text/light-stem.ts'
import { languagesOf } from './detect-language.ts'

const CYRILLIC = /\p{Script=Cyrillic}(?:['’ʼ]?\p{Script=Cyrillic})*/gu
const LATIN = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu
const HANGUL = /\p{Script=Hangul}+/gu
/** Written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

const SCRIPTS: Readonly<Record<Language, RegExp>> = {
  ru: CYRILLIC,
  uk: CYRILLIC,
  de: LATIN,
  fr: LATIN,
  es: LATIN,
  pt: LATIN,
  it: LATIN,
  pl: LATIN,
  zh: UNSPACED,
  ja: UNSPACED,
  ko: HANGUL,
}

export interface ForeignWord {
  readonly word: string
  readonly stem: string
  readonly start: number
}

/** The words of a text that may be of the language: those in its script, cut out where it has no spaces. */
export function wordsOf(text: string, language: Language): ForeignWord[] {
  const script = SCRIPTS[language]
  const found: ForeignWord[] = []
  for (const { 0: run, index } of text.matchAll(script)) {
    if (script === UNSPACED)
      for (const part of segmenterOf(language).segment(run))
        found.push(foreign(part.segment, index + part.index, language))
    else found.push(foreign(run, index, language))
  }
  return found
}

function foreign(word: string, start: number, language: Language): ForeignWord {
  return { word, stem: lightStem(word, language), start }
}

const segmenters = new Map<Language, Intl.Segmenter>()

function segmenterOf(language: Language): Intl.Segmenter {
  const segmenter =
    segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** Languages whose letters do not tell them from English: `indexTerms` takes their words for English ones. */
const IN_LATIN_LETTERS: ReadonlySet<Language> = new Set(['de', 'fr', 'es', 'pt', 'it', 'pl'])

/** The terms of a note: those of any text, and the stems of the language that it is written in. */
export function noteTerms(text: string): string[] {
  return [...indexTerms(text), ...ownStems(text)]
}

/** Marked with the language, so that they meet only each other. */
export function ownStems(text: string): string[] {
  return languagesOf(text)
    .filter((language) => IN_LATIN_LETTERS.has(language))
    .flatMap((language) => wordsOf(text, language).map(({ stem }) => `${language}ː${stem}`))
}
