import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import type { Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { changedFiles, describeRun } from '../deeds/describe-deeds.ts'
import type { Asked } from '../dialog-texts.ts'
import { type Clause, judgeClauses } from './clauses.ts'
import { type Doubt, type Judgement, type RequestState, runsOf } from './request-state.ts'
import type { Standing } from './standing-lines.ts'

const MAX_REQUEST = 300
const MAX_FILES = 30
const MAX_ENDED = 5
const MAX_COMMITS = 20

export interface LedgerCommit {
  /** As git printed it; absent if it was not printed. */
  readonly sha?: string
  readonly subject: string
  /** Absent if the repository is not here or does not know the commit. */
  readonly onCurrentBranch?: boolean
}

export interface LedgerFile {
  readonly path: string
  readonly plus: number
  readonly minus: number
  /** The share of its lines that are in the file now. */
  readonly standing?: number
  /** A revert of its changes is proven. */
  readonly undone?: boolean
}

export interface LedgerEntry {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  /** Where the beginning of the request does not tell it from others. */
  readonly title?: string
  /** The question that a bare reply answers. */
  readonly answers?: string
  readonly state: RequestState
  readonly against: Doubt[]
  /** The request that replaced its changes. */
  readonly replacedBy?: number
  readonly files: LedgerFile[]
  readonly commands: number
  readonly ended: string[]
  readonly commits: LedgerCommit[]
  readonly clauses?: Clause[]
}

interface Judged {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  readonly title?: string
  readonly own: readonly PlacedDeed[]
  readonly standing: ReadonlyMap<string, Standing>
  readonly judgement: Judgement
}

export function entryOf({ own, standing, judgement, ...asked }: Judged): LedgerEntry {
  const { state, against, commits, taken } = judgement
  const files = changedFiles(own).map((file) => {
    const { came = 0, stand = 0 } = standing.get(file.path) ?? {}
    return {
      ...file,
      ...(came > 0 ? { standing: Math.round((100 * stand) / came) / 100 } : {}),
      ...(taken.undone.has(file.path) ? { undone: true } : {}),
    }
  })
  return {
    ...asked,
    state,
    against,
    ...(taken.replacedBy === undefined ? {} : { replacedBy: taken.replacedBy }),
    files: files.slice(0, MAX_FILES),
    commands: own.filter(({ kind }) => kind === 'command').length,
    ended: endedRuns(runsOf(own)).map(describeRun),
    commits: commits.slice(-MAX_COMMITS).map(({ sha, subject, onCurrentBranch }) => ({
      ...(sha === undefined ? {} : { sha }),
      subject,
      ...(onCurrentBranch === undefined ? {} : { onCurrentBranch }),
    })),
  }
}

/** The last end of each command, the latest last; tests before builds and linters if there is no room for all. */
export function endedRuns(runs: readonly Run[]): Run[] {
  const last = new Map<string, Run>()
  for (const run of runs) {
    if (run.kind !== 'test' && run.kind !== 'build' && run.kind !== 'lint') continue
    const name = `${run.kind} ${describeRun({ ...run, outcome: undefined })}`
    last.delete(name)
    last.set(name, run)
  }
  const all = [...last.values()]
  const isTest = ({ kind }: Run) => kind === 'test'
  const tests = all.filter(isTest).slice(-MAX_ENDED)
  const room = MAX_ENDED - Math.max(1, Math.min(tests.length, MAX_ENDED - 1))
  const others = all.filter((run) => !isTest(run)).slice(tests.length === 0 ? -MAX_ENDED : -room)
  const shown = new Set([...tests.slice(-(MAX_ENDED - others.length)), ...others])
  return all.filter((run) => shown.has(run))
}

/** With the words of the request, and its clauses. */
export function inWords(
  entry: LedgerEntry,
  { request = entry.request, answers }: Asked,
  own: readonly PlacedDeed[],
): LedgerEntry {
  // Answers to several questions are numbered by us: they are no list of wishes.
  const clauses = answers === undefined ? judgeClauses(typedText(request), own) : []
  const text = request.length > MAX_REQUEST ? `${cutText(request, MAX_REQUEST)}…` : request
  return {
    ...entry,
    request: text,
    ...(answers ? { answers } : {}),
    ...(clauses.length > 0 ? { clauses } : {}),
  }
}
