import { posix } from 'node:path'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { isSameWord, wordsIn } from '../deeds/words-in.ts'

export interface Clause {
  readonly clause: string
  /** Files whose name or new lines speak of it, and the words they share; empty where nothing does. */
  readonly evidence: { readonly file: string; readonly words: string[] }[]
}

const LONGEST_REQUEST = 6000
const LONGEST_CLAUSE = 200
const MOST_CLAUSES = 20
const MOST_EVIDENCE = 5
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/
const SENTENCE_END = /(?<=[.!?;。！？；])\s+|(?<=[。！？；])/

/** The parts of a request that can each be done or not; none where it is of one piece. */
export function clausesOf(request: string): string[] {
  const text = request.slice(0, LONGEST_REQUEST)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parts = lines.flatMap((line) =>
    ITEM.test(line) ? [line.replace(ITEM, '')] : line.split(SENTENCE_END),
  )
  const clauses = parts.map((part) => part.trim()).filter((part) => wordsIn(part).length > 0)
  return clauses.length < 2
    ? []
    : clauses.slice(0, MOST_CLAUSES).map((part) => part.slice(0, LONGEST_CLAUSE))
}

/** For each clause, what was done that speaks of it. It shows absence of evidence, never that something is right. */
export function judgeClauses(request: string, deeds: readonly PlacedDeed[]): Clause[] {
  const files = wordsOfFiles(deeds)
  return clausesOf(request).map((clause) => {
    const wanted = wordsIn(clause)
    const evidence = [...files].flatMap(([file, spoken]) => {
      const words = wanted.filter((word) => spoken.some((other) => isSameWord(word, other)))
      return words.length > 0 ? [{ file, words }] : []
    })
    evidence.sort((a, b) => b.words.length - a.words.length)
    return { clause, evidence: evidence.slice(0, MOST_EVIDENCE) }
  })
}

function wordsOfFiles(deeds: readonly PlacedDeed[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  const add = (file: string, words: readonly string[]) =>
    files.set(file, [...(files.get(file) ?? []), ...words])
  for (const { kind, path, lines, text, exit } of deeds) {
    if (kind === 'create' || kind === 'change' || kind === 'delete')
      add(path ?? '', [...wordsIn(posix.basename(path ?? '')), ...(lines?.words ?? [])])
    else if (kind === 'commit') add(`commit "${text ?? ''}"`, [...wordsIn(text ?? ''), 'commit'])
    else if (kind === 'command' && exit === 0)
      add(`\`${text?.split('\n')[0] ?? ''}\``, wordsIn(text ?? ''))
  }
  return files
}
