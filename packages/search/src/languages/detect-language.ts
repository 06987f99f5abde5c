import type { Language } from '../text/light-stem.ts'
import { COMMON_WORDS } from './frequent-words.ts'

const CYRILLIC = /\p{Script=Cyrillic}/u
const RUSSIAN_ONLY = /[ыэъё]/iu
const UKRAINIAN_ONLY = /[іїєґ]/iu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
const HANGUL = /\p{Script=Hangul}/u
/** Words in Latin letters; what is spelled like code belongs to no language. */
const LATIN_WORD = /(?<![\p{L}\p{N}_$./\\])\p{Script=Latin}[\p{Ll}\p{M}]+(?![\p{L}\p{N}_$(/\\])/gu
const ENGLISH_ONLY = new Set(
  'and are be been by can does each for from has have how if into is it like not of or that the their then there these they this to used using was were what when where which who why will with you your'.split(
    ' ',
  ),
)
/** Of a text's words, so many must be common in the language: the others are names, or rare. */
const LEAST_SHARE = 0.25

/** The languages that a text may be in, English aside; of two that share a script, the words must decide. */
export function languagesOf(text: string): readonly Language[] {
  if (KANA.test(text)) return ['ja']
  if (HANGUL.test(text)) return ['ko']
  if (HAN.test(text)) return ['zh', 'ja']
  if (!CYRILLIC.test(text)) return latinLanguages(text)
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
