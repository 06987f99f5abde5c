import { existsSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { readRegular } from '@secretary-mcp/core/files/read-inside.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { linesOf, printsOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import type { Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { isSameWord, wordsIn } from '@secretary-mcp/transcripts/deeds/words-in.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { changedFiles, describeRun, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Asked } from '../dialog-texts.ts'
import { type Doubt, type Judgement, type RequestState, runsOf } from './request-state.ts'

const MAX_SPLIT = 6000
const MAX_CLAUSE = 200
const MAX_CLAUSES = 20
const MAX_EVIDENCE = 5
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/

const LARGEST = 4 << 20

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
    return readRegular(path, LARGEST) ?? ''
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
