import { lightStem } from './light-stem.ts'

const CYRILLIC = /^[\u0400-\u052f]+$/
const UKRAINIAN_ONLY = /[іїєґ]/
const HANGUL = /^[\uac00-\ud7a3]+$/

/** A word whose letters say which language it is of loses its ending; others stay as they are. */
export function stemByScript(word: string): string {
  if (CYRILLIC.test(word)) return lightStem(word, UKRAINIAN_ONLY.test(word) ? 'uk' : 'ru')
  return HANGUL.test(word) ? lightStem(word, 'ko') : word
}
