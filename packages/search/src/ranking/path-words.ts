import { stem } from '../text/english.ts'
import { identifiersIn, splitIdentifier } from '../text/index-terms.ts'
import type { Query } from './query.ts'

/** The words of a path, for comparison with a query's. */
export interface PathWords {
  /** Words of the file's name without its extension. */
  readonly name: readonly string[]
  readonly wholeName: string
  /** Stems of the words of each part of the path. */
  readonly stems: readonly (readonly string[])[]
}

/** Folders recur in very many paths: what has been read once need not be read and kept again. */
export interface KnownParts {
  readonly words: Map<string, readonly string[]>
  readonly stems: Map<string, readonly string[]>
}

/** Names that say only where a folder begins: there the folder itself is the name. */
const ENTRY_NAMES = new Set('index mod init __init__'.split(' '))

export function pathWords(path: string, known = newKnownParts()): PathWords {
  const parts = partsOf(path)
  const own = parts.at(-1) ?? ''
  const folder = parts.at(-2) ?? ''
  const name = ENTRY_NAMES.has(own.toLowerCase()) && folder ? folder : own
  return new LazyPathWords(path, known, wordsOf(name, known))
}

export function newKnownParts(): KnownParts {
  return { words: new Map(), stems: new Map() }
}

/** Of most files nobody asks for the stems; a class, because one object a file is all that a large project can spare. */
class LazyPathWords implements PathWords {
  readonly name: readonly string[]
  readonly wholeName: string
  readonly #path: string
  readonly #known: KnownParts
  #stems: PathWords['stems'] | undefined

  constructor(path: string, known: KnownParts, name: readonly string[]) {
    this.#path = path
    this.#known = known
    this.name = name
    this.wholeName = name.join('')
  }

  get stems(): PathWords['stems'] {
    this.#stems ??= partsOf(this.#path).map((part) => stemsOf(part, this.#known))
    return this.#stems
  }
}

function partsOf(path: string): string[] {
  return path.replace(/\.[^./]+$/, '').split('/')
}

function wordsOf(part: string, { words }: KnownParts): readonly string[] {
  const before = words.get(part)
  if (before) return before
  const read = identifiersIn(part).flatMap((identifier) => [...splitIdentifier(identifier)])
  words.set(part, read)
  return read
}

function stemsOf(part: string, known: KnownParts): readonly string[] {
  const before = known.stems.get(part)
  if (before) return before
  const read = wordsOf(part, known).map(stem)
  known.stems.set(part, read)
  return read
}

/** The share of the file's name that the query speaks of; a beginning counts: `config` for `configuration`. */
export function nameMatch(path: PathWords, query: Query): number {
  if (path.name.length === 0) return 0
  const matched = path.name.filter((word) =>
    query.tellingWords.some((asked) => sameBeginning(word, asked)),
  ).length
  return matched / path.name.length
}

const SHORTEST_BEGINNING = 3

/** What two words have in common that begin the same. */
export function beginningOf(word: string): string {
  return word.slice(0, SHORTEST_BEGINNING)
}

export function sameBeginning(a: string, b: string): boolean {
  return (
    a.length >= SHORTEST_BEGINNING &&
    b.length >= SHORTEST_BEGINNING &&
    (a.startsWith(b) || b.startsWith(a))
  )
}
