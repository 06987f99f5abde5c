import { identifiersIn, splitIdentifier } from '../text/split-identifiers.ts'
import { stem } from '../text/stem.ts'
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
export type KnownParts = Map<
  string,
  { readonly words: readonly string[]; stems: readonly string[] }
>

/** Names that say only where a folder begins: there the folder itself is the name. */
const ENTRY_NAMES = new Set('index mod init __init__'.split(' '))

export function pathWords(path: string, known: KnownParts = new Map()): PathWords {
  const parts = path.replace(/\.[^./]+$/, '').split('/')
  const own = parts.at(-1) ?? ''
  const folder = parts.at(-2) ?? ''
  const name = ENTRY_NAMES.has(own.toLowerCase()) && folder ? folder : own
  const { words } = partOf(name, known)
  return {
    name: words,
    wholeName: words.join(''),
    stems: parts.map((part) => partOf(part, known).stems),
  }
}

function partOf(part: string, known: KnownParts) {
  const before = known.get(part)
  if (before) return before
  const words = identifiersIn(part).flatMap((identifier) => [...splitIdentifier(identifier)])
  const read = { words, stems: words.map(stem) }
  known.set(part, read)
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
