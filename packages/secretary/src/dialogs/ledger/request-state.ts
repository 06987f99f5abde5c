import type { CommandKind, GitAct, Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { ProvenCommit } from './commits.ts'

/** Most of a request's lines have to be gone before it is called undone or replaced. */
const MOST_OF_IT = 0.5
const NEARLY_ALL = 0.8

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

interface TakenBack {
  /** Files whose changes were proven to be taken back. */
  readonly undone: ReadonlySet<string>
  readonly isUndone: boolean
  /** The request whose changes took the place of this one's. */
  readonly replacedBy?: number
}

/** Lines by their fingerprint: how many more came than went. */
type Net = Map<number, number>

interface FileWork {
  readonly path: string
  readonly net: Net
  readonly size: number
  readonly isCreated: boolean
  /** Its last change, by its place among the dialog's deeds. */
  readonly last: number
}

/** What happened later to the changes of one request, as far as the dialog proves it. */
function takenBack(
  position: number,
  deeds: readonly PlacedDeed[],
  commits: readonly ProvenCommit[],
): TakenBack {
  const files = filesOf(position, deeds)
  const undone = new Set(
    files
      .filter((file) => isRestored(file, deeds, commits) || isInverted(file, position, deeds))
      .map(({ path }) => path),
  )
  const size = (some: readonly FileWork[]) => some.reduce((sum, file) => sum + file.size, 0)
  const gone = files.filter(({ path }) => undone.has(path))
  const isUndone = gone.length > 0 && size(gone) >= MOST_OF_IT * size(files)
  const replacedBy = isUndone ? undefined : replacing(files, position, deeds)
  return { undone, isUndone, ...(replacedBy === undefined ? {} : { replacedBy }) }
}

function filesOf(position: number, deeds: readonly PlacedDeed[]): FileWork[] {
  const files = new Map<string, FileWork>()
  for (const [order, { position: own, kind, path, lines }] of deeds.entries()) {
    if (own !== position || path === undefined) continue
    if (kind === 'delete') files.delete(path)
    if ((kind !== 'create' && kind !== 'change') || !lines) continue
    const before = files.get(path)
    files.set(path, {
      path,
      net: addLines(before?.net ?? new Map(), lines),
      size: (before?.size ?? 0) + lines.plus + lines.minus,
      isCreated: before?.isCreated ?? kind === 'create',
      last: order,
    })
  }
  return [...files.values()].filter(({ net }) => net.size > 0)
}

function addLines(net: Net, { came, gone }: NonNullable<PlacedDeed['lines']>): Net {
  const add = (print: number, count: number) => {
    const sum = (net.get(print) ?? 0) + count
    if (sum === 0) net.delete(print)
    else net.set(print, sum)
  }
  for (const { print } of came) add(print, 1)
  for (const { print } of gone) add(print, -1)
  return net
}

/** By git: the file, the tree or the commit was set back. */
function isRestored(
  { path, last, isCreated }: FileWork,
  deeds: readonly PlacedDeed[],
  commits: readonly ProvenCommit[],
): boolean {
  const holding = commits.filter(({ order, holds }) => order > last && holds(path, isCreated))
  return deeds.some(({ git = [], kind }, order) => {
    if (order <= last || kind !== 'command') return false
    const committed = holding.find((commit) => commit.order < order)
    return git.some((act) => {
      if (act.act === 'revert' || act.act === 'reset')
        return committed
          ? takesCommit(act, committed, order, commits)
          : act.act === 'reset' && !isCreated
      // What is committed is not lost when the file is set back.
      return (
        act.act === 'restore' &&
        !committed &&
        !isCreated &&
        (act.takes !== undefined || act.paths?.includes(path) === true)
      )
    })
  })
}

function takesCommit(
  { act, refs = [] }: GitAct,
  commit: ProvenCommit,
  order: number,
  commits: readonly ProvenCommit[],
): boolean {
  const before = commits.filter((one) => one.order < order && !one.isAmended)
  const fromEnd = before.length - before.indexOf(commit)
  return refs.some((ref) => {
    const steps = /^(?:HEAD|@)(?:~(\d*)|(\^+))?$/.exec(ref)
    if (act === 'revert')
      return steps
        ? steps[1] === undefined && steps[2] === undefined && fromEnd === 1
        : isSame(ref, commit.sha)
    const count = steps?.[1] === undefined ? (steps?.[2]?.length ?? 0) : Number(steps[1] || 1)
    return before.includes(commit) && fromEnd <= count
  })
}

function isSame(ref: string, sha: string | undefined): boolean {
  return sha !== undefined && ref.length >= 7 && (sha.startsWith(ref) || ref.startsWith(sha))
}

/** By hand: a later request removed just what came and brought back what went, or deleted the file that was new. */
function isInverted(
  { path, net, isCreated, last }: FileWork,
  position: number,
  deeds: readonly PlacedDeed[],
): boolean {
  const later = new Map<number, Net>()
  for (const [order, deed] of deeds.entries()) {
    if (order <= last || deed.path !== path || deed.position <= position) continue
    if (deed.kind === 'delete' && isCreated) return true
    if (deed.lines)
      later.set(deed.position, addLines(later.get(deed.position) ?? new Map(), deed.lines))
  }
  return [...later.values()].some(
    (other) =>
      other.size === net.size && [...net].every(([print, count]) => other.get(print) === -count),
  )
}

/** The later request that removed most of what this one brought, if nearly all of it is gone. */
function replacing(
  files: readonly FileWork[],
  position: number,
  deeds: readonly PlacedDeed[],
): number | undefined {
  let came = 0
  let gone = 0
  const removed = new Map<number, number>()
  for (const { path, net, last } of files) {
    const left = new Map([...net].filter(([, count]) => count > 0))
    came += [...left.values()].reduce((sum, count) => sum + count, 0)
    for (const [by, other] of laterNets(path, last, position, deeds))
      for (const [print, count] of other) {
        const lost = Math.min(left.get(print) ?? 0, -count)
        if (lost <= 0) continue
        left.set(print, (left.get(print) ?? 0) - lost)
        gone += lost
        removed.set(by, (removed.get(by) ?? 0) + lost)
      }
  }
  if (came === 0 || gone < NEARLY_ALL * came) return undefined
  return [...removed].sort(([, a], [, b]) => b - a)[0]?.[0]
}

function laterNets(
  path: string,
  last: number,
  position: number,
  deeds: readonly PlacedDeed[],
): Map<number, Net> {
  const nets = new Map<number, Net>()
  for (const [order, deed] of deeds.entries())
    if (order > last && deed.path === path && deed.position > position && deed.lines)
      nets.set(deed.position, addLines(nets.get(deed.position) ?? new Map(), deed.lines))
  return nets
}
