const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu
/** Scripts written without spaces: pairs of letters stand for words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u

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

/** Shorter cuts are copied by the engine itself. */
const SHORTEST_CUT = 13

/** A word that will be remembered for long: as cut from a text it would keep the whole text in memory with it. */
export function ownCopy(word: string): string {
  return word.length < SHORTEST_CUT ? word : Buffer.from(word).toString()
}
