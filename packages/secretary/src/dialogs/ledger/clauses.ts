import { posix } from 'node:path'
import { isSameWord, wordsIn } from '@secretary-mcp/transcripts/deeds/words-in.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'

export interface Clause {
  readonly clause: string
  /** Files whose name or new lines speak of it, and the words they share; empty where nothing does. */
  readonly evidence: { readonly file: string; readonly words: string[] }[]
}

const MAX_REQUEST = 6000
const MAX_CLAUSE = 200
const MAX_CLAUSES = 20
const MAX_EVIDENCE = 5
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/

/** The items of a list that the person typed; none if the request has no list. */
export function clausesOf(typed: string): string[] {
  const items = typed
    .slice(0, MAX_REQUEST)
    .split('\n')
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').trim())
    .filter((item) => wordsIn(item).length > 0)
  return items.length < 2
    ? []
    : items.slice(0, MAX_CLAUSES).map((item) => item.slice(0, MAX_CLAUSE))
}

/** For each clause, what was done that speaks of it. It shows absence of evidence, never that something is right. */
export function judgeClauses(typed: string, deeds: readonly PlacedDeed[]): Clause[] {
  const files = wordsOfFiles(deeds)
  return clausesOf(typed).map((clause) => {
    const wanted = wordsIn(clause)
    const evidence = [...files].flatMap(([file, spoken]) => {
      const words = wanted.filter((word) => spoken.some((other) => isSameWord(word, other)))
      return words.length > 0 ? [{ file, words }] : []
    })
    evidence.sort((a, b) => b.words.length - a.words.length)
    return { clause, evidence: evidence.slice(0, MAX_EVIDENCE) }
  })
}

const isUnproven = (git: PlacedDeed['git']) => git?.some((act) => act.isUnproven) === true

function wordsOfFiles(deeds: readonly PlacedDeed[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  const add = (file: string, words: readonly string[]) =>
    files.set(file, [...(files.get(file) ?? []), ...words])
  for (const { kind, path, lines, text, exit, git } of deeds) {
    if (kind === 'create' || kind === 'change' || kind === 'delete')
      add(path ?? '', [...wordsIn(posix.basename(path ?? '')), ...(lines?.words ?? [])])
    else if (kind === 'commit' && !isUnproven(git))
      add(`commit "${text ?? ''}"`, [...wordsIn(text ?? ''), 'commit'])
    else if (kind === 'command' && exit === 0)
      add(`\`${text?.split('\n')[0] ?? ''}\``, wordsIn(text ?? ''))
  }
  return files
}
