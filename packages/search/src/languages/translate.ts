import { STOP_WORDS, stem } from '../text/english.ts'
import { indexTerms } from '../text/index-terms.ts'
import type { Language } from '../text/light-stem.ts'
import { type Bridge, type Bridges, lookUp } from './bridge.ts'
import { type ForeignWord, languagesOf, wordsOf } from './foreign-words.ts'

/** A bridge gives them for verbs, reflexive ones and those that only help another; they say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  'make do cause herself himself itself myself ourselves themselves yourself yourselves'
    .split(' ')
    .map(stem),
)
/** Of so many words one may be known by chance. */
const SEVERAL = 3

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

/**
 * How a question begins in each language, and the words around it. Messages of programs, from which the bridges
 * were learned, do not ask: they have taken `come` for a command.
 */
const QUESTION_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  ru: words('как где что какой какая какое какие почему зачем когда кто чей ли за'),
  uk: words('як де що який яка яке які чому навіщо коли хто чи за'),
  de: words('wie wo was welche welcher welches warum wieso wann wer man'),
  fr: words('comment où que quoi quel quelle quels quelles pourquoi quand qui'),
  es: words('cómo dónde qué cuál cuáles cuándo quién por se'),
  pt: words('como onde que qual quais porque quando quem se'),
  it: words('come dove cosa quale quali perché quando chi si'),
  pl: words('jak gdzie co jaki jaka jakie który która które dlaczego kiedy kto czy się'),
  zh: words('怎么 如何 哪里 什么 为什么 谁'),
  ja: words('どう どこ 何 なぜ いつ 誰'),
  ko: words('어떻게 어디 무엇 왜 언제 누가'),
}

/** Written without spaces: what is asked for stands anywhere in the sentence. */
const ASKS_ANYWHERE: ReadonlySet<Language> = new Set(['zh', 'ja', 'ko'])

/** It asks how or where something is, in a person's own words; what a program says does not ask. */
function isQuestion(text: string, words: readonly string[], language: Language): boolean {
  if (/[?？]\s*$/.test(text)) return true
  const asking = ASKS_ANYWHERE.has(language) ? words : words.slice(0, 1)
  return asking.some((word) => QUESTION_WORDS[language].has(word.toLowerCase()))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** A word of a question in another language, by the terms under which a project may know it. */
export interface Sense {
  readonly terms: readonly string[]
  /** What it means was looked up; otherwise it counts as it is written. */
  readonly isTranslated: boolean
}

/** The translated words, and the terms of the question that none of them accounts for: names, and what no bridge knows. */
export function sensesOf(
  meanings: readonly (readonly string[])[],
  terms: ReadonlyMap<string, number>,
): Sense[] {
  const translated = new Map<string, Sense>()
  for (const words of meanings) {
    const own = words.flatMap(indexTerms).filter(isTelling)
    if (own.length > 0) translated.set(own.join(' '), { terms: own, isTranslated: true })
  }
  const accounted = new Set([...translated.values()].flatMap((sense) => sense.terms))
  const others = [...terms.keys()].filter((term) => isTelling(term) && !accounted.has(term))
  return [...translated.values(), ...others.map((term) => ({ terms: [term], isTranslated: false }))]
}

/**
 * A word that stands for several others (`tiempo` is time and weather) says something only beside another one that the project
 * knows. A word that is in the project as it is written was not mistaken for another.
 */
export function isCoincidence(
  senses: readonly Sense[],
  isKnown: (term: string) => boolean,
): boolean {
  const known = senses.filter(({ terms }) => terms.some(isKnown))
  return senses.length >= SEVERAL && known.length < 2 && known.every((one) => one.isTranslated)
}

function isTelling(term: string): boolean {
  return term.length > 1 && !STOP_WORDS.has(term) && !EMPTY_WORDS.has(term)
}
