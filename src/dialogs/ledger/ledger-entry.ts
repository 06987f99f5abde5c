import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { changedFiles, describeEnd } from '../deeds/describe-deeds.ts'
import { cutText } from '../preview.ts'
import { questionIn } from '../recall/bare-request.ts'
import { type Clause, judgeClauses } from './clauses.ts'
import type { Doubt, RequestState } from './request-state.ts'
import type { Standing } from './standing-lines.ts'

const LONGEST_REQUEST = 300
const MOST_FILES = 30

export interface LedgerEntry {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  readonly state: RequestState
  readonly against: Doubt[]
  readonly files: { path: string; plus: number; minus: number; standing?: number }[]
  readonly commands: number
  readonly ended: string[]
  readonly commits: string[]
  readonly clauses?: Clause[]
}

interface Judged {
  readonly index: number
  readonly timestamp: number
  readonly request: string
  readonly own: readonly PlacedDeed[]
  readonly standing: ReadonlyMap<string, Standing>
  readonly state: RequestState
  readonly against: Doubt[]
}

export function entryOf({ own, standing, state, against, ...asked }: Judged): LedgerEntry {
  const files = changedFiles(own).map((file) => {
    const { came = 0, stand = 0 } = standing.get(file.path) ?? {}
    return { ...file, ...(came > 0 ? { standing: Math.round((100 * stand) / came) / 100 } : {}) }
  })
  return {
    ...asked,
    state,
    against,
    files: files.slice(0, MOST_FILES),
    commands: own.filter(({ kind }) => kind === 'command').length,
    ended: own
      .filter(
        ({ commandKind, exit }) => /test|build|lint/.test(commandKind ?? '') && exit !== undefined,
      )
      .slice(-5)
      .map(describeEnd),
    commits: own
      .filter(({ kind }) => kind === 'commit')
      .map(({ tail, text }) => [tail, text].filter(Boolean).join(' ')),
  }
}

/** With the words of the request, and its clauses. */
export function inWords(
  entry: LedgerEntry,
  request: string,
  own: readonly PlacedDeed[],
): LedgerEntry {
  const clauses = judgeClauses(request, own)
  const text = request.length > LONGEST_REQUEST ? `${cutText(request, LONGEST_REQUEST)}…` : request
  return { ...entry, request: text, ...(clauses.length > 0 ? { clauses } : {}) }
}

/** Whether an answer ends with a question to the person. */
export function isQuestion(answer: string | undefined): boolean {
  return (
    answer !== undefined && /\?\W*$/.test(questionIn(answer) ?? '') && /\?\W*$/.test(answer.trim())
  )
}
