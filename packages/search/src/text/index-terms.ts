import { stem } from './english.ts'

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu
/** Scripts written without spaces: pairs of letters stand for words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u
/** Shorter cuts are copied by the engine itself. */
const SHORTEST_CUT = 13

/**
 * The terms under which a text is indexed: the stems of every identifier's parts and, where it has several,
 * the whole identifier in lower case. Queries go through the same function, so both sides always agree.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = []
  for (const identifier of identifiersIn(text))
    for (const term of termsOf(identifier)) terms.push(term)
  return terms
}

const known = new Map<string, readonly string[]>()
/** A source tree repeats its identifiers; the memory is bounded and is emptied when full. */
const KNOWN_LIMIT = 8_000
const MAX_TERM = 64

function termsOf(cut: string): readonly string[] {
  const found = known.get(cut)
  if (found) return found
  const identifier = ownCopy(cut)
  const parts = splitIdentifier(identifier)
  const terms = parts.filter((part) => part.length <= MAX_TERM).map(stem)
  if (parts.length > 1 && identifier.length <= MAX_TERM) terms.push(wholeTerm(identifier))
  if (known.size >= KNOWN_LIMIT) known.clear()
  known.set(identifier, terms)
  return terms
}

/** An identifier as one term, however it is spelled: `createStore`, `create_store` and `CreateStore` are the same. */
export function wholeTerm(identifier: string): string {
  return identifier.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The identifiers of a text as they stand, in order. */
export function identifiersIn(text: string): string[] {
  return text.match(IDENTIFIER) ?? []
}

/** `parseHTTPHeader_fast2` → parse, http, header, fast, 2. */
export function splitIdentifier(identifier: string): readonly string[] {
  return (identifier.match(PARTS) ?? []).flatMap((part) =>
    UNSPACED.test(part) ? pairsOf(part) : part.toLowerCase(),
  )
}

function pairsOf(text: string): string[] {
  const letters = [...text]
  return letters.length < 3 ? [text] : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

/** A word that will be remembered for long: as cut from a text it would keep the whole text in memory with it. */
export function ownCopy(word: string): string {
  return word.length < SHORTEST_CUT ? word : Buffer.from(word).toString()
}
