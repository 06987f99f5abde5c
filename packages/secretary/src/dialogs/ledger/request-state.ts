import type { CommandKind, Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { ProvenCommit } from './commits.ts'
import { type TakenBack, takenBack } from './taken-back.ts'

/** How far a request came, raised only by what was seen. */
export const STATES = ['asked', 'worked_on', 'changed', 'tested', 'committed'] as const
export type RequestState = (typeof STATES)[number]

/** What speaks against it. */
export const DOUBTS = ['interrupted', 'failing', 'undone', 'replaced', 'unanswered'] as const
export type Doubt = (typeof DOUBTS)[number]

export interface Judgement {
  readonly state: RequestState
  readonly against: Doubt[]
  /** Commits that hold one of its files, and those that were made for it. */
  readonly commits: readonly ProvenCommit[]
  readonly taken: TakenBack
}

export const isChange = ({ kind }: PlacedDeed) =>
  kind === 'create' || kind === 'change' || kind === 'delete'

/** What is proven about one request of a dialog, from all that was done in the dialog. */
export function judgeRequest(
  position: number,
  deeds: readonly PlacedDeed[],
  made: readonly ProvenCommit[],
  isUnanswered: boolean,
): Judgement {
  const own = deeds.filter((deed) => deed.position === position)
  const holding = made.filter((commit) => holdsWorkOf(position, commit, deeds))
  const inside = made.filter(({ deed }) => deed.position === position)
  const commits = made.filter(
    (one) => !one.isAmended && (holding.includes(one) || inside.includes(one)),
  )
  const taken = takenBack(position, deeds, made)
  const against: Doubt[] = []
  if (own.at(-1)?.kind === 'interrupt') against.push('interrupted')
  if (isFailing(own)) against.push('failing')
  if (taken.isUndone) against.push('undone')
  if (taken.replacedBy !== undefined) against.push('replaced')
  if (isUnanswered) against.push('unanswered')
  return { state: stateOf(own, holding.length > 0, inside.length > 0), against, commits, taken }
}

function stateOf(own: readonly PlacedDeed[], isHeld: boolean, hasCommitted: boolean): RequestState {
  const last = own.findLastIndex(isChange)
  if (isHeld) return 'committed'
  // A request that changed nothing itself, such as "commit this".
  if (last === -1) return hasCommitted ? 'committed' : own.length > 0 ? 'worked_on' : 'asked'
  const tests = runsOf(own.slice(last + 1)).filter(
    ({ kind, outcome }) => kind === 'test' && outcome !== undefined,
  )
  return tests.at(-1)?.outcome === 'passed' ? 'tested' : 'changed'
}

/** Whether a commit holds a file that the request had changed by then. */
function holdsWorkOf(
  position: number,
  { order, holds }: ProvenCommit,
  deeds: readonly PlacedDeed[],
): boolean {
  const isNew = new Set<string>()
  return deeds.slice(0, order).some((deed) => {
    const { path } = deed
    if (path === undefined || !isChange(deed)) return false
    if (deed.kind === 'create') isNew.add(path)
    return deed.position === position && holds(path, isNew.has(path))
  })
}

export function runsOf(deeds: readonly PlacedDeed[]): Run[] {
  return deeds.flatMap(({ kind, runs = [] }) => (kind === 'command' ? runs : []))
}

/** Its own last test or build failed. */
function isFailing(own: readonly PlacedDeed[]): boolean {
  const runs = runsOf(own)
  const lastOf = (kind: CommandKind) => runs.findLast((run) => run.kind === kind)
  return lastOf('test')?.outcome === 'failed' || lastOf('build')?.outcome === 'failed'
}
