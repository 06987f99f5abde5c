import { existsSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { readRegular } from '@secretary-mcp/core/files/read-inside.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { linesOf, printsOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import type { CommandKind, GitAct, Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { isSameWord, wordsIn } from '@secretary-mcp/transcripts/deeds/words-in.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { changedFiles, describeRun, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Asked } from '../dialog-texts.ts'
import type { ProvenCommit } from './commits.ts'

/** Most of a request's lines have to be gone before it is called undone or replaced. */
const MAX_OF_IT = 0.5
const NEARLY_ALL = 0.8
/** How far a request came, raised only by what was seen. */
export const STATES = ['asked', 'worked_on', 'changed', 'tested', 'committed'] as const
/** What speaks against it. */
export const DOUBTS = ['interrupted', 'failing', 'undone', 'replaced', 'unanswered'] as const

const MAX_SPLIT = 6000
const MAX_CLAUSE = 200
const MAX_CLAUSES = 20
const MAX_EVIDENCE = 5
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/

const MAX_SIZE = 4 << 20

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
  const clean = redact(request)
  const clauses = answers === undefined ? judgeClauses(typedText(clean), own) : []
  const text = clean.length > MAX_REQUEST ? `${cutText(clean, MAX_REQUEST)}…` : clean
  return {
    ...entry,
    request: text,
    ...(answers ? { answers: redact(answers) } : {}),
    ...(clauses.length > 0 ? { clauses } : {}),
  }
}

/** Which lines a file has now; empty where it is gone. */
export class PresentFiles {
  readonly #project: string
  readonly #known = new Map<string, ReadonlySet<number>>()

  constructor(project: string) {
    this.#project = project
  }

  get isThere(): boolean {
    return existsSync(this.#project)
  }

  prints(path: string): ReadonlySet<number> {
    const known = this.#known.get(path) ?? this.#read(path)
    this.#known.set(path, known)
    return known
  }

  #read(path: string): ReadonlySet<number> {
    const text = textOrEmpty(resolve(this.#project, path))
    return new Set(printsOf(linesOf(text)).map(({ print }) => print))
  }
}

function textOrEmpty(path: string): string {
  try {
    return readRegular(path, MAX_SIZE) ?? ''
  } catch {
    return ''
  }
}

interface Standing {
  /** Lines that came, and how many of them are there now. */
  readonly came: number
  readonly stand: number
}

export async function standingOf(
  deeds: readonly PlacedDeed[],
  files: PresentFiles,
): Promise<Map<string, Standing>> {
  const all = new Map<string, Standing>()
  // A project that is elsewhere now says nothing about its lines.
  if (!files.isThere) return all
  for (const { path, lines } of deeds) {
    if (path === undefined || !lines) continue
    const present = await files.prints(path)
    const { came, stand } = all.get(path) ?? { came: 0, stand: 0 }
    const still = lines.came.filter(({ print }) => present.has(print)).length
    all.set(path, { came: came + lines.came.length, stand: stand + still })
  }
  return all
}

interface Clause {
  readonly clause: string
  /** Files whose name or new lines speak of it, and the words they share; empty where nothing does. */
  readonly evidence: { readonly file: string; readonly words: string[] }[]
}

/** The items of a list that the person typed; none if the request has no list. */
export function clausesOf(typed: string): string[] {
  const items = typed
    .slice(0, MAX_SPLIT)
    .split('\n')
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').trim())
    .filter((item) => wordsIn(item).length > 0)
  return items.length < 2
    ? []
    : items.slice(0, MAX_CLAUSES).map((item) => item.slice(0, MAX_CLAUSE))
}

/** For each clause, what was done that speaks of it. It shows absence of evidence, never that something is right. */
function judgeClauses(typed: string, deeds: readonly PlacedDeed[]): Clause[] {
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

export type RequestState = (typeof STATES)[number]

export type Doubt = (typeof DOUBTS)[number]

interface Judgement {
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

function runsOf(deeds: readonly PlacedDeed[]): Run[] {
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
  const isUndone = gone.length > 0 && size(gone) >= MAX_OF_IT * size(files)
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
