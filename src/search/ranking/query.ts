import { indexTerms, wholeTerm } from '../text/index-terms.ts'
import { identifiersIn, splitIdentifier } from '../text/split-identifiers.ts'
import { stem } from '../text/stem.ts'
import { STOP_WORDS } from '../text/stop-words.ts'

/** A question, read once. */
export interface Query {
  readonly text: string
  /** Distinct terms without stop words, unless there is nothing else. */
  readonly terms: readonly string[]
  /** Lower-case words in order, stop words included. */
  readonly words: readonly string[]
  /** The same without stop words. */
  readonly tellingWords: readonly string[]
  /** Neighbouring words as one: people write `thread pool`, code says `threadpool`. */
  readonly compounds: readonly string[]
  /** Names asked for, as whole terms: the query itself when it is one, and what is spelled like code in prose. */
  readonly names: readonly string[]
  /** The identifiers as they are written. */
  readonly identifiers: ReadonlySet<string>
  /** The query is a name and nothing else. */
  readonly isSymbol: boolean
}

const MOST_TERMS = 24
const CODE_LIKE = /[a-z0-9][A-Z]|_|^[A-Z]{2,}[a-z]/

export function readQuery(text: string): Query {
  const identifiers = identifiersIn(text)
  const words = identifiers.flatMap(splitIdentifier)
  const all = [...new Set(indexTerms(text))]
  const telling = all.filter((term) => !STOP_WORDS.has(term))
  const isSymbol = /^[^\s]+$/.test(text.trim())
  return {
    text,
    terms: (telling.length > 0 ? telling : all).slice(0, MOST_TERMS),
    words,
    tellingWords: [...new Set(words)].filter((word) => !STOP_WORDS.has(stem(word))),
    compounds: compoundsOf(words),
    names: namesIn(text, identifiers, isSymbol),
    identifiers: new Set(identifiers),
    isSymbol,
  }
}

function namesIn(text: string, identifiers: readonly string[], isSymbol: boolean): string[] {
  // Of `Sinatra::Base` or `session.send()` the last part is the name; the others only say where.
  const last = identifiers.at(-1)
  if (isSymbol) return last ? [wholeTerm(last)] : []
  const qualified = text.match(/[\p{L}\p{N}_$]+(?:(?:::|\.|#|->)[\p{L}\p{N}_$]+)+/gu) ?? []
  const lastParts = qualified.map((name) => wholeTerm(identifiersIn(name).at(-1) ?? ''))
  return [
    ...new Set([
      ...identifiers.filter((identifier) => CODE_LIKE.test(identifier)).map(wholeTerm),
      ...lastParts,
    ]),
  ].filter((name) => name.length > 1)
}

function compoundsOf(words: readonly string[]): string[] {
  const found = new Set<string>()
  for (let at = 0; at + 1 < words.length; at++) {
    found.add(`${words[at]}${words[at + 1]}`)
    // The first word loses its plural in a name: `event hooks` is `eventHook` as often as not.
    found.add(`${words[at]}${words[at + 1]?.replace(/s$/, '')}`)
    if (at + 2 < words.length) found.add(`${words[at]}${words[at + 1]}${words[at + 2]}`)
  }
  return [...found]
}
