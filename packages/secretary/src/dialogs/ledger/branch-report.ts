import { Failure } from '@secretary-mcp/core/failure.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { runGit } from '@secretary-mcp/core/run-git.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf, typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { judgeDialog, type LedgerParts } from './ledger.ts'
import type { LedgerEntry } from './ledger-entry.ts'

const BOUNDS = { longestMs: 10_000, mostBytes: 16 << 20 }
const MAX_COMMITS = 300
const MAX_FILES = 200
const MAX_TITLE = 100
/** A request may be asked so long before its work is committed. */
const MAX_WORK_MS = 14 * 86_400_000
const BASES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']

export interface BranchCommit {
  readonly sha: string
  readonly subject: string
}

export interface BranchRequest
  extends Pick<LedgerEntry, 'index' | 'timestamp' | 'state' | 'against' | 'ended'> {
  readonly sessionId: string
  readonly source: string
  readonly title: string
  readonly files: string[]
  readonly commits: BranchCommit[]
}

/** The requests behind a branch. */
export interface BranchReport {
  readonly base: string
  readonly commits: BranchCommit[]
  /** Oldest first. */
  readonly requests: BranchRequest[]
  /** Commits that no request is known for. */
  readonly others: BranchCommit[]
  /** Added lines that no request explains, by file; files that could not be looked at have none. */
  readonly unexplained: { readonly file: string; readonly lines: number }[]
  readonly added: number
}

interface Explained {
  readonly requests: readonly { readonly lines: readonly (readonly [number, number])[] }[]
}

type AskWhy = (file: string, line: number, endLine: number) => Promise<Explained | undefined>

/** What was asked for the commits since a base, what came of it, and what nobody asked for. */
export async function branchReport(
  parts: LedgerParts & { readonly why: AskWhy },
  caller: Caller,
  given: string | undefined,
  signal: AbortSignal,
): Promise<BranchReport> {
  const { dialogs } = parts
  const git = async (...args: string[]) => {
    const { text, isFailed } = await runGit(caller.project, args, { ...BOUNDS, signal })
    return isFailed ? undefined : text
  }
  const base = await baseOf(git, given)
  const log = await git(
    'log',
    '--no-merges',
    `--max-count=${MAX_COMMITS}`,
    '--format=%H%x09%ct%x09%s',
    `${base}..HEAD`,
  )
  if (log === undefined)
    throw new Failure('tool_unavailable', 'Git could not list the commits of this branch')
  const made = log.split('\n').flatMap((line) => {
    const [sha = '', time = '', ...subject] = line.split('\t')
    return sha === ''
      ? []
      : [{ sha, subject: redact(subject.join('\t')), time: 1000 * Number(time) }]
  })
  const earliest = Math.min(...made.map(({ time }) => time)) - MAX_WORK_MS
  const requests: BranchRequest[] = []
  const known = new Set<string>()
  for (const dialog of made.length > 0 ? await dialogs.ofProject(caller, signal) : []) {
    if (dialog.lastSeen < earliest) continue
    signal.throwIfAborted()
    const judged = await judgeDialog(parts, dialog, caller.project)
    for (const entry of judged.entries) {
      const own = made.filter(({ sha }) =>
        entry.commits.some((commit) => commit.sha !== undefined && sha.startsWith(commit.sha)),
      )
      if (own.length === 0) continue
      for (const { sha } of own) known.add(sha)
      const { index, timestamp, state, against, ended, files } = await judged.inFull(entry)
      requests.push({
        ...{ index, timestamp, state, against, ended },
        sessionId: dialog.sessionId,
        source: dialog.source,
        title: redact(titleOf(entry.title ?? typedText(entry.request), MAX_TITLE)),
        files: files.map(({ path }) => path),
        commits: own.map(withoutTime),
      })
    }
  }
  const { added, unexplained } = await unexplainedLines(git, base, parts.why)
  return {
    base,
    commits: made.map(withoutTime),
    requests: requests.sort((one, other) => one.timestamp - other.timestamp),
    others: made.filter(({ sha }) => !known.has(sha)).map(withoutTime),
    unexplained,
    added,
  }
}

type Git = (...args: string[]) => Promise<string | undefined>

const withoutTime = ({ sha, subject }: BranchCommit): BranchCommit => ({ sha, subject })

async function baseOf(git: Git, given: string | undefined): Promise<string> {
  for (const base of given === undefined ? BASES : [given]) {
    const found = await git(
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${base}^{commit}`,
    )
    if (found?.trim()) return given ?? base
  }
  throw new Failure(
    'not_found',
    given === undefined
      ? 'This branch has no base: name the branch or commit that it starts from'
      : 'Git knows no such branch or commit here',
  )
}

async function unexplainedLines(
  git: Git,
  base: string,
  why: AskWhy,
): Promise<Pick<BranchReport, 'added' | 'unexplained'>> {
  const diff = await git(
    'diff',
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    `${base}...HEAD`,
  )
  const unexplained: { file: string; lines: number }[] = []
  let all = 0
  for (const [file, hunks] of [...addedLines(diff ?? '')].slice(0, MAX_FILES)) {
    let missing = 0
    for (const [from, to] of hunks) {
      all += to - from + 1
      const { requests = [] } = (await why(file, from, to)) ?? {}
      const explained = new Set<number>()
      for (const { lines } of requests)
        for (const [first, last] of lines)
          for (let line = Math.max(first, from); line <= Math.min(last, to); line++)
            explained.add(line)
      missing += to - from + 1 - explained.size
    }
    if (missing > 0) unexplained.push({ file, lines: missing })
  }
  return { added: all, unexplained }
}

/** Of a diff without context: the added lines of each file that still exists. */
function addedLines(diff: string): Map<string, [number, number][]> {
  const files = new Map<string, [number, number][]>()
  let file: string | undefined
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.startsWith('+++ b/') ? line.slice(6) : undefined
    const [, start, count = '1'] = /^@@ -\S{1,30} \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (file === undefined || start === undefined || count === '0') continue
    const range: [number, number] = [Number(start), Number(start) + Number(count) - 1]
    files.set(file, [...(files.get(file) ?? []), range])
  }
  return files
}
