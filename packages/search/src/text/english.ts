import { lightStem } from './light-stem.ts'

const CYRILLIC = /^[\u0400-\u052f]+$/
const UKRAINIAN_ONLY = /[іїєґ]/
const HANGUL = /^[\uac00-\ud7a3]+$/

/**
 * Suffix stripping after M. F. Porter's 1980 algorithm: `serialization`, `serializer` and `serializing` meet in one stem.
 * Postings and queries both go through it, so a stem needs to be the same, not to be a word.
 */
export function stem(word: string): string {
  if (word.length <= 2) return word
  if (!/^[a-z]+$/.test(word)) return stemByScript(word)
  const known = stems.get(word)
  if (known !== undefined) return known
  const result = lastLetters(
    residue(derivations(doubleDerivations(yToI(pastAndGerund(plural(word)))))),
  )
  if (stems.size >= KNOWN_LIMIT) stems.clear()
  stems.set(word, result)
  return result
}

const stems = new Map<string, string>()
const KNOWN_LIMIT = 8_000

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const root = word.endsWith('ed')
    ? word.slice(0, -2)
    : word.endsWith('ing')
      ? word.slice(0, -3)
      : undefined
  if (root === undefined || !hasVowel(root)) return word
  if (/(at|bl|iz)$/.test(root)) return `${root}e`
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1)
  return measure(root) === 1 && endsShort(root) ? `${root}e` : root
}

function yToI(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

const DOUBLE = suffixes(
  'ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log',
)
const SINGLE = suffixes('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const RESIDUE = suffixes(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:',
)

function doubleDerivations(word: string): string {
  return replaced(word, DOUBLE, 0)
}

function derivations(word: string): string {
  return replaced(word, SINGLE, 0)
}

function residue(word: string): string {
  return replaced(word, RESIDUE, 1)
}

function replaced(
  word: string,
  rules: readonly (readonly [string, string])[],
  above: number,
): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const root = word.slice(0, -rule[0].length)
  if (rule[0] === 'ion' && !/[st]$/.test(root)) return word
  return measure(root) > above ? root + rule[1] : word
}

function lastLetters(word: string): string {
  const root = word.slice(0, -1)
  if (word.endsWith('e') && (measure(root) > 1 || (measure(root) === 1 && !endsShort(root))))
    return root
  return word.endsWith('ll') && measure(word) > 1 ? root : word
}

/** How many times a vowel run is followed by a consonant run. */
function measure(word: string): number {
  return (shape(word).match(/vc/g) ?? []).length
}

function hasVowel(word: string): boolean {
  return shape(word).includes('v')
}

function endsShort(word: string): boolean {
  return shape(word).endsWith('cvc') && !/[wxy]$/.test(word)
}

function shape(word: string): string {
  let result = ''
  for (const letter of word)
    result += 'aeiou'.includes(letter) || (letter === 'y' && result.endsWith('c')) ? 'v' : 'c'
  return result
}

function suffixes(list: string): readonly (readonly [string, string])[] {
  return list
    .split(' ')
    .map((pair) => pair.split(':') as [string, string])
    .sort((a, b) => b[0].length - a[0].length)
}

/** A word whose letters say which language it is of loses its ending; others stay as they are. */
function stemByScript(word: string): string {
  if (CYRILLIC.test(word)) return lightStem(word, UKRAINIAN_ONLY.test(word) ? 'uk' : 'ru')
  return HANGUL.test(word) ? lightStem(word, 'ko') : word
}

const WORDS =
  'a an and are as at be been but by can do does each for from had has have how i if in into is it its like me my no not of on or our so such that the their then there these they this to us use used using via was we were what when where which who why will with without work works you your between'

/** Words that say nothing about what is looked for; as stems, because they are compared with terms. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(' ').map(stem))
