import { basename, dirname } from 'node:path'
import { runGit, withoutFilters } from '@secretary-mcp/core/run-git.ts'

/** Who git says brought a line; absent for what is not committed. */
export interface Blamed {
  readonly commit: string
  readonly subject?: string
  readonly authoredMs: number
  readonly committedMs: number
  /** When the file was committed before that: the line was not there yet. */
  readonly sinceMs?: number
}

const BOUNDS = { longestMs: 5_000, mostBytes: 64 << 20 }

/** For every line of a file as it stands on the disk; undefined where git does not know the file. */
export async function blame(
  path: string,
  signal: AbortSignal,
): Promise<readonly (Blamed | undefined)[] | undefined> {
  const [name, folder] = [basename(path), dirname(path)]
  const run = { ...BOUNDS, signal }
  const harmless = await withoutFilters(folder, run)
  if (!harmless) return undefined
  const [blamed, log] = await Promise.all([
    runGit(folder, [...harmless, 'blame', '--no-textconv', '--porcelain', '--', name], run),
    runGit(folder, ['log', '-500', '--format=%H %ct', '--', name], run),
  ])
  if (blamed.isFailed) return undefined
  const before = previousCommits(log.isFailed ? '' : log.text)
  return parseBlame(blamed.text).map((line) => {
    const sinceMs = line && before.get(line.commit)
    // A branch that was merged late has commits older than the one before them here.
    return line && sinceMs !== undefined && sinceMs < line.authoredMs ? { ...line, sinceMs } : line
  })
}

/** For each commit of a file, when the one before it was made. */
function previousCommits(log: string): Map<string, number> {
  const commits = log
    .trim()
    .split('\n')
    .map((row) => row.split(' '))
  return new Map(
    commits
      .slice(0, -1)
      .map(([sha = ''], place) => [sha, Number(commits[place + 1]?.[1]) * 1000] as const),
  )
}

export function parseBlame(porcelain: string): (Blamed | undefined)[] {
  const commits = new Map<string, { authoredMs: number; committedMs: number; subject?: string }>()
  const lines: (Blamed | undefined)[] = []
  let sha = ''
  let line = 0
  for (const row of porcelain.split('\n')) {
    if (row.startsWith('\t')) {
      const times = commits.get(sha)
      lines[line - 1] = /^0+$/.test(sha) || !times ? undefined : { commit: sha, ...times }
      continue
    }
    const head = /^([\da-f]{40,64}) \d+ (\d+)/.exec(row)
    if (head) {
      sha = head[1] ?? ''
      line = Number(head[2])
      if (!commits.has(sha)) commits.set(sha, { authoredMs: 0, committedMs: 0 })
      continue
    }
    const [, subject] = /^summary (.*)$/.exec(row) ?? []
    const time = /^(author|committer)-time (\d+)/.exec(row)
    const known = commits.get(sha)
    if (subject !== undefined && known) known.subject = subject
    if (time && known)
      known[time[1] === 'author' ? 'authoredMs' : 'committedMs'] = Number(time[2]) * 1000
  }
  return lines
}
