import { identifiersIn, splitIdentifier } from '../text/split-identifiers.ts'
import { stem } from '../text/stem.ts'
import type { Query } from './query.ts'

/** The words of a path, for comparison with a query's. */
export interface PathWords {
  /** Words of the file's name without its extension. */
  readonly name: readonly string[]
  readonly wholeName: string
  /** Stems of all words of the path. */
  readonly stems: ReadonlySet<string>
}

/** Names that say only where a folder begins: there the folder itself is the name. */
const ENTRY_NAMES = new Set('index mod init __init__'.split(' '))

export function pathWords(path: string): PathWords {
  const parts = path.replace(/\.[^./]+$/, '').split('/')
  const own = parts.at(-1) ?? ''
  const folder = parts.at(-2) ?? ''
  const name = wordsOf(ENTRY_NAMES.has(own.toLowerCase()) && folder ? folder : own)
  return {
    name,
    wholeName: name.join(''),
    stems: new Set(parts.flatMap(wordsOf).map(stem)),
  }
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

export function sameBeginning(a: string, b: string): boolean {
  return (
    a.length >= SHORTEST_BEGINNING &&
    b.length >= SHORTEST_BEGINNING &&
    (a.startsWith(b) || b.startsWith(a))
  )
}

function wordsOf(text: string): string[] {
  return identifiersIn(text).flatMap((identifier) => [...splitIdentifier(identifier)])
}
