import type { Language } from '../text/light-stem.ts'

/**
 * How a question begins in each language, and the words around it. Messages of programs, from which the bridges
 * were learned, do not ask: they have taken `come` for a command.
 */
export const QUESTION_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
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
export function isQuestion(text: string, words: readonly string[], language: Language): boolean {
  if (/[?？]\s*$/.test(text)) return true
  const asking = ASKS_ANYWHERE.has(language) ? words : words.slice(0, 1)
  return asking.some((word) => QUESTION_WORDS[language].has(word.toLowerCase()))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
