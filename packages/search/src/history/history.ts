import { runGit } from '@secretary-mcp/core/run-git.ts'
import type { IndexStore } from '../index-store.ts'
import { indexTerms } from '../text/index-terms.ts'

const MAX_COMMITS = 3_000
const BOUNDS = { longestMs: 3_000, mostBytes: 16 << 20 }
const COMMIT = '\u0001'

/** A commit as it is kept: the terms of its subject, and those of its files that are indexed. */
export interface PastChange {
  readonly terms: readonly string[]
  readonly paths: readonly string[]
}

/** The commit up to which the history is kept. */
const HISTORY_HEAD = 'history head'
const HISTORY = 'history'
/** A commit that changes more files says little about each of them. */
const MAX_PATHS = 30
const MAX_TERMS = 40

/** Follows the checked-out commit; where nothing moved, git is asked for no more than that. */
export async function keepHistory(
  { root, store }: { readonly root: string; readonly store: IndexStore },
  indexed: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<void> {
  const head = await headOf(root, signal)
  if (head === (await store.mark(HISTORY_HEAD))) return
  const commits = head ? await gitLog(root, signal) : []
  if (signal?.aborted) return
  const lines = commits.flatMap((commit) => lineOf(commit, indexed))
  await store.setMark(HISTORY, lines.length > 0 ? lines.join('\n') : undefined)
  await store.setMark(HISTORY_HEAD, head)
}

/** Newest first; empty where there is no git history. */
export async function keptHistory(store: IndexStore): Promise<PastChange[]> {
  const text = await store.mark(HISTORY)
  return (text?.split('\n') ?? []).map((line) => {
    const [terms = '', ...paths] = line.split('\t')
    return { terms: terms === '' ? [] : terms.split(' '), paths }
  })
}

function lineOf({ subject, paths }: Commit, indexed: ReadonlySet<string>): string[] {
  const kept = paths.filter((path) => indexed.has(path) && !path.includes('\t'))
  if (kept.length === 0 || paths.length > MAX_PATHS) return []
  const terms = [...new Set(indexTerms(subject))].slice(0, MAX_TERMS)
  return [[terms.join(' '), ...kept].join('\t')]
}

interface Commit {
  readonly subject: string
  /** Relative to the project. */
  readonly paths: readonly string[]
}

/** The commit that is checked out; undefined where there is no repository. */
export async function headOf(root: string, signal?: AbortSignal): Promise<string | undefined> {
  const { text } = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], {
    ...BOUNDS,
    signal,
  })
  return /^[\da-f]{40,64}$/.exec(text.trim())?.[0]
}

/** The latest commits, newest first: as many as git tells within a few seconds. */
export async function gitLog(root: string, signal?: AbortSignal): Promise<Commit[]> {
  const wanted = ['--no-merges', '--no-renames', '--no-show-signature', '--name-only', '--relative']
  const { text, isCut } = await runGit(
    root,
    ['log', '-n', String(MAX_COMMITS), ...wanted, '--format=%x01%s', 'HEAD', '--', '.'],
    { ...BOUNDS, signal },
  )
  const [, ...commits] = text.split(COMMIT)
  return commits.slice(0, isCut ? -1 : undefined).map((commit) => {
    const [subject = '', ...paths] = commit.split('\n')
    return { subject, paths: paths.filter((path) => path !== '') }
  })
}
