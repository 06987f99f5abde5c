import type { Language } from '../text/light-stem.ts'
import { type Bridge, type Bridges, lookUp } from './bridge.ts'
import { languagesOf } from './detect-language.ts'
import { isQuestion, QUESTION_WORDS } from './question-words.ts'
import { type ForeignWord, wordsOf } from './words-of.ts'

/** A text of another language in English words, as far as they are known. */
export interface Translation {
  readonly language: Language
  /** Each word replaced by the likeliest; names and unknown words stay. */
  readonly text: string
  /** The other words that it may have meant. */
  readonly alternatives: readonly string[]
  /** Its words that say nothing about what is looked for. */
  readonly smallWords: readonly string[]
  /** Each of its other words that are known, with all that it may have meant. */
  readonly meanings: readonly (readonly string[])[]
  /** It asks, and so is no message that somebody pasted. */
  readonly asks: boolean
}

/** Of so many words fewer than this share is known: it is another language, or nonsense. */
const LEAST_KNOWN = 0.4

/** Undefined where the text is English, as far as can be told. */
export async function translate(text: string, bridges: Bridges): Promise<Translation | undefined> {
  let best: { readonly translation: Translation; readonly known: number } | undefined
  for (const language of languagesOf(text)) {
    const attempt = wordByWord(text, language, await bridges(language))
    if (attempt.known >= LEAST_KNOWN && attempt.known > (best?.known ?? 0)) best = attempt
  }
  return best?.translation
}

function wordByWord(text: string, language: Language, bridge: Bridge) {
  const alternatives = new Set<string>()
  const smallWords = new Set<string>()
  const allMeanings: string[][] = []
  const words = wordsOf(text, language).filter((word) => !isCode(text, word))
  let translated = ''
  let at = 0
  let known = 0
  for (const { word, stem, start } of words) {
    const meanings = QUESTION_WORDS[language].has(word.toLowerCase()) ? [] : lookUp(bridge, stem)
    if (meanings) known++
    translated += `${text.slice(at, start)} ${meanings ? (meanings[0] ?? '') : word} `
    if (meanings?.length === 0) smallWords.add(word)
    else if (meanings) allMeanings.push([word, ...meanings])
    for (const other of meanings?.slice(1) ?? []) alternatives.add(other)
    at = start + word.length
  }
  return {
    known: words.length > 0 ? known / words.length : 0,
    translation: {
      language,
      text: (translated + text.slice(at)).replace(/[^\S\n]+/g, ' ').trim(),
      alternatives: [...alternatives],
      smallWords: [...smallWords],
      meanings: allMeanings,
      asks: isQuestion(
        text,
        words.map(({ word }) => word),
        language,
      ),
    },
  }
}

/** Part of a name, a path or a call, and so no word of any language. */
function isCode(text: string, { word, start }: ForeignWord): boolean {
  const before = text[start - 1] ?? ' '
  const after = text.slice(start + word.length, start + word.length + 2)
  return /\p{Ll}\p{Lu}/u.test(word) || /[\w$/\\]/.test(before) || /^(?:[\d_$(/\\]|\.\w)/.test(after)
}
