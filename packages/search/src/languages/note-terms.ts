import { indexTerms } from '../text/index-terms.ts'
import type { Language } from '../text/light-stem.ts'
import { languagesOf } from './detect-language.ts'
import { wordsOf } from './words-of.ts'

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
