import { indexTerms } from '../text/index-terms.ts'
import { type Language, lightStem } from '../text/light-stem.ts'
import { COMMON_WORDS } from './frequent-words.ts'

const ANY_CYRILLIC = /\p{Script=Cyrillic}/u
const RUSSIAN_ONLY = /[ыэъё]/iu
const UKRAINIAN_ONLY = /[іїєґ]/iu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
const ANY_HANGUL = /\p{Script=Hangul}/u
/** Words in Latin letters; what is spelled like code belongs to no language. */
const LATIN_WORD = /(?<![\p{L}\p{N}_$./\\])\p{Script=Latin}[\p{Ll}\p{M}]+(?![\p{L}\p{N}_$(/\\])/gu
const ENGLISH_ONLY = new Set(
  'and are be been by can does each for from has have how if into is it like not of or that the their then there these they this to used using was were what when where which who why will with you your'.split(
    ' ',
  ),
)
/** Of a text's words, so many must be common in the language: the others are names, or rare. */
const LEAST_SHARE = 0.25

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

/** The languages that a text may be in, English aside; of two that share a script, the words must decide. */
export function languagesOf(text: string): readonly Language[] {
  if (KANA.test(text)) return ['ja']
  if (ANY_HANGUL.test(text)) return ['ko']
  if (HAN.test(text)) return ['zh', 'ja']
  if (!ANY_CYRILLIC.test(text)) return latinLanguages(text)
  if (UKRAINIAN_ONLY.test(text)) return ['uk']
  return RUSSIAN_ONLY.test(text) ? ['ru'] : ['ru', 'uk']
}

function latinLanguages(text: string): readonly Language[] {
  const words = (text.match(LATIN_WORD) ?? []).map((word) => word.toLowerCase())
  const english = words.filter((word) => ENGLISH_ONLY.has(word)).length
  const counts = new Map<Language, number>()
  for (const word of words)
    for (const language of commonIn().get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  if (most <= english || most < words.length * LEAST_SHARE) return []
  return [...counts].filter(([, count]) => count === most).map(([language]) => language)
}

let known: Map<string, Language[]> | undefined

function commonIn(): ReadonlyMap<string, readonly Language[]> {
  if (known) return known
  known = new Map()
  for (const [language, words] of Object.entries(COMMON_WORDS) as [Language, string][])
    for (const word of words.split(' ')) known.set(word, [...(known.get(word) ?? []), language])
  return known
}
