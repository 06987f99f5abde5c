const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu
/** Scripts written without spaces: pairs of letters stand for words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u

/** The identifiers of a text as they stand, in order. */
export function identifiersIn(text: string): string[] {
  return text.match(IDENTIFIER) ?? []
}

const knownParts = new Map<string, readonly string[]>()
const KNOWN_LIMIT = 200_000

/** `parseHTTPHeader_fast2` → parse, http, header, fast, 2. */
export function splitIdentifier(identifier: string): readonly string[] {
  const known = knownParts.get(identifier)
  if (known) return known
  const parts = (identifier.match(PARTS) ?? []).flatMap((part) => (UNSPACED.test(part) ? pairsOf(part) : part.toLowerCase()))
  // A source tree has some tens of thousands of distinct identifiers; the limit is for pathological input alone.
  if (knownParts.size >= KNOWN_LIMIT) knownParts.clear()
  knownParts.set(identifier, parts)
  return parts
}

function pairsOf(text: string): string[] {
  const letters = [...text]
  return letters.length < 3 ? [text] : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}
