const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\p{Lu}?\p{L}+|\p{N}+/gu

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
  const parts = (identifier.match(PARTS) ?? []).map((part) => part.toLowerCase())
  // A source tree has some tens of thousands of distinct identifiers; the limit is for pathological input alone.
  if (knownParts.size >= KNOWN_LIMIT) knownParts.clear()
  knownParts.set(identifier, parts)
  return parts
}
