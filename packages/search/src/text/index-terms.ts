import { stem } from './english.ts'
import { identifiersIn, ownCopy, splitIdentifier } from './split-identifiers.ts'

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
const LONGEST_TERM = 64

function termsOf(cut: string): readonly string[] {
  const found = known.get(cut)
  if (found) return found
  const identifier = ownCopy(cut)
  const parts = splitIdentifier(identifier)
  const terms = parts.filter((part) => part.length <= LONGEST_TERM).map(stem)
  if (parts.length > 1 && identifier.length <= LONGEST_TERM) terms.push(wholeTerm(identifier))
  if (known.size >= KNOWN_LIMIT) known.clear()
  known.set(identifier, terms)
  return terms
}

/** An identifier as one term, however it is spelled: `createStore`, `create_store` and `CreateStore` are the same. */
export function wholeTerm(identifier: string): string {
  return identifier.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
