import { runGit } from '@secretary-mcp/core/run-git.ts'

export interface Commit {
  readonly subject: string
  /** Relative to the project. */
  readonly paths: readonly string[]
}

const MOST_COMMITS = 3_000
const BOUNDS = { longestMs: 3_000, mostBytes: 16 << 20 }
const COMMIT = '\u0001'

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
    ['log', '-n', String(MOST_COMMITS), ...wanted, '--format=%x01%s', 'HEAD', '--', '.'],
    { ...BOUNDS, signal },
  )
  const [, ...commits] = text.split(COMMIT)
  return commits.slice(0, isCut ? -1 : undefined).map((commit) => {
    const [subject = '', ...paths] = commit.split('\n')
    return { subject, paths: paths.filter((path) => path !== '') }
  })
}
