import type { PastChange } from '../history/history.ts'
import type { FileRole } from './file-role.ts'
import type { RememberedFile } from './project-memory.ts'
import { MAX_TERMS, type Query } from './query.ts'

/** What the history of the project says about a question, by path. */
export interface PastChanges {
  /** Changed by commits that speak of the same. */
  readonly commits: ReadonlyMap<string, number>
  /** Changed lately, and often. */
  readonly recent: ReadonlyMap<string, number>
}

export const NO_PAST: PastChanges = { commits: new Map(), recent: new Map() }

/** Commits that speak of the same as the question, from the best down to this one. */
const MAX_COMMITS = 100
/** After so many commits a change counts a third. */
const RECENT_COMMITS = 1_000
/** A subject of few words that match says more than a long one; so many words make no difference yet. */
const SHORT_SUBJECT = 3
/** A file that every commit changes is in those that match, too. */
const OFTEN_CHANGED = 0.3

export function pastChanges({ terms }: Query, changes: readonly PastChange[]): PastChanges {
  const weights = termWeights(terms, changes)
  const recent = new Map<string, number>()
  const counts = new Map<string, number>()
  const commits = new Map<string, number>()
  const matching: { paths: readonly string[]; score: number }[] = []
  changes.forEach(({ terms: said, paths }, nth) => {
    for (const path of paths) {
      add(recent, path, Math.exp(-nth / RECENT_COMMITS))
      add(counts, path, 1)
    }
    const sum = said.reduce((total, term) => total + (weights.get(term) ?? 0), 0)
    if (sum > 0) matching.push({ paths, score: sum / Math.sqrt(SHORT_SUBJECT + said.length) })
  })
  matching.sort((a, b) => b.score - a.score)
  for (const { paths, score } of matching.slice(0, MAX_COMMITS))
    for (const path of paths) add(commits, path, score / Math.sqrt(paths.length))
  for (const [path, score] of commits)
    commits.set(path, score / (counts.get(path) ?? 1) ** OFTEN_CHANGED)
  return { commits, recent }
}

const ASIDE: readonly FileRole[] = ['test', 'prose', 'resource']

/** The same as shares of the highest among the files to be ranked; tests and change logs, which come with every change, set no mark. */
export function scaledPast({ commits, recent }: PastChanges, files: readonly RememberedFile[]) {
  const main = files.filter(({ roles }) => !ASIDE.some((role) => roles.includes(role)))
  return { commits: shares(commits, main), recent: shares(recent, main) }
}

function shares(values: ReadonlyMap<string, number>, files: readonly RememberedFile[]) {
  const most = files.reduce((highest, { path }) => Math.max(highest, values.get(path) ?? 0), 0)
  return ({ path }: RememberedFile) => (most > 0 ? Math.min((values.get(path) ?? 0) / most, 1) : 0)
}

/** Terms that few commits mention tell most. */
function termWeights(
  asked: ReadonlyMap<string, number>,
  changes: readonly PastChange[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms } of changes)
    for (const term of terms) if (asked.has(term)) add(counts, term, 1)
  return new Map(
    [...counts]
      .map(([term, count]): [string, number] => [
        term,
        (asked.get(term) ?? 0) * Math.log(1 + changes.length / count),
      ])
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_TERMS),
  )
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
