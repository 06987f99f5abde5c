import type { Deed, DeedFacts, GitAct, Outcome } from './deed.ts'
import { failureText } from './runs/printed-outcome.ts'
import { type PendingRun, plainRun, settleRuns, statusOutcome } from './runs/runs.ts'
import type { PendingAct } from './shell-deeds.ts'

const MAX_LINES = 12
const MAX_CHARACTERS = 700
const MAX_COMMAND = 400
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
const COLOURS = /\u001b\[[\d;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*\u0007/g

const MAX_FILES = 200
const MAX_ANSWER = 300

/** The deeds of one call with how it ended. What did not happen is left out; a command that failed was still run. */
export function endDeeds<T extends Deed | DeedFacts>(begun: readonly T[], outcome: Outcome): T[] {
  const { output = '', exit, failed } = outcome
  const isBad = failed === true || (exit !== undefined && exit !== 0)
  const commits = begun.filter(({ kind }) => kind === 'commit')
  const made = commits.length > 0 ? commitsIn(output) : []
  return begun.flatMap((deed): T[] => {
    if (deed.kind === 'command') return [endCommand(deed, outcome)]
    if (deed.kind === 'commit')
      return endCommit(deed, commits.indexOf(deed), commits.length, made, outcome)
    // They have an answer and no status.
    if (deed.kind === 'question' || deed.kind === 'helper') {
      const tail = outcome.tail ?? (deed.kind === 'question' ? output.slice(0, MAX_ANSWER) : '')
      return [{ ...deed, ...(tail ? { tail } : {}) }]
    }
    if (isBad) return []
    // The answer has the number under which a new item of the list is changed later.
    if (deed.kind === 'todo') return [{ ...deed, ...(output ? { tail: output.slice(0, 80) } : {}) }]
    const { lines, kind } = outcome
    return [{ ...deed, ...(lines ? { lines } : {}), ...(kind ? { kind } : {}) }]
  })
}

/** Without what was only needed until the result came; for calls whose result never does, or came with the call. */
export function unendedDeed<T extends Deed | DeedFacts>(deed: T): T {
  if (!deed.runs && !deed.git) return deed
  return {
    ...deed,
    ...(deed.runs ? { runs: deed.runs.map((run) => plainRun(run, run.outcome)) } : {}),
    ...(deed.git ? { git: endActs(deed.git, undefined, '') } : {}),
  }
}

/** What git says when it took something back. */
const TAKEN_BACK: Readonly<Record<string, RegExp>> = {
  reset: /^HEAD is now at /m,
  revert: /^\[[^\]\n]+\] Revert "/m,
  restore: /^Updated \d+ paths? from /m,
}

/** Of the acts that take something back, those that are proven. */
function endActs(acts: readonly PendingAct[], exit: number | undefined, output: string): GitAct[] {
  return acts.flatMap(({ proof, ...act }) => {
    const isProven =
      proof === undefined ||
      (exit === 0 && proof.zero === 'passed') ||
      TAKEN_BACK[act.act]?.test(output)
    return isProven ? [act] : []
  })
}

function endCommand<T extends Deed | DeedFacts>(
  deed: T,
  { exit, output = '', failed, tail }: Outcome,
): T {
  const runs = deed.runs && settleRuns(deed.runs as readonly PendingRun[], { exit, output })
  const isFailed =
    failed === true ||
    (exit !== undefined && exit !== 0) ||
    runs?.some((run) => run.outcome === 'failed') === true
  const shown = isFailed ? failureText(output) || tail : undefined
  const git = deed.git && endActs(deed.git, exit, output)
  const isTest = deed.commandKind !== 'git' && runs?.some((run) => run.kind === 'test')
  const kind = isTest ? ({ commandKind: 'test' } as const) : {}
  return {
    ...deed,
    ...kind,
    ...(exit === undefined ? {} : { exit }),
    ...(runs ? { runs } : {}),
    ...(git ? { git } : {}),
    ...(shown ? { tail: shown } : {}),
  }
}

interface PrintedCommit {
  readonly sha: string
  readonly subject: string
  /** Files that git names: new, renamed and deleted ones. */
  readonly files: readonly string[]
}

const COMMIT_LINE = /^\[(?:[^\]\n]*?[\s(])??([\da-f]{7,40})\] ?(.*)$/
const FILE_LINE = /^ (?:create|delete) mode \d{6} (.+)$/
const RENAME_LINE = /^ (?:rename|copy) (.+) \(\d+%\)$/

/** The commits that git says it made, with the files that it names. */
function commitsIn(output: string): PrintedCommit[] {
  const made: { sha: string; subject: string; files: string[] }[] = []
  for (const line of output.split('\n')) {
    const commit = COMMIT_LINE.exec(line)
    const file = FILE_LINE.exec(line)?.[1]
    const rename = RENAME_LINE.exec(line)?.[1]
    const current = made.at(-1)
    if (commit) made.push({ sha: commit[1] ?? '', subject: commit[2] ?? '', files: [] })
    else if (current && current.files.length < MAX_FILES) {
      if (file !== undefined) current.files.push(file)
      else if (rename !== undefined) current.files.push(...bothNames(rename))
    }
  }
  return made
}

/** `a => b`, or `src/{a => b}/c.ts` */
function bothNames(rename: string): string[] {
  const [, before = '', from = '', to = '', after = ''] =
    /^(.{0,200})\{(.{0,200}) => (.{0,200})\}(.*)$/.exec(rename) ?? []
  const join = (middle: string) => `${before}${middle}${after}`.replaceAll('//', '/')
  return from + to === '' ? rename.split(' => ') : [join(from), join(to)]
}

/** A commit counts if git printed it, or if its own status says that it was made. */
function endCommit<T extends Deed | DeedFacts>(
  deed: T,
  at: number,
  count: number,
  made: readonly PrintedCommit[],
  { exit, output = '' }: Outcome,
): T[] {
  const printed =
    made.length === count
      ? made[at]
      : made.find(({ subject }) => subject !== '' && subject === deed.text)
  if (printed) {
    const [act] = deed.git ?? []
    const git: GitAct[] = act
      ? [
          {
            ...act,
            ...(printed.files.length > 0
              ? { paths: [...(act.paths ?? []), ...printed.files] }
              : {}),
          },
        ]
      : []
    return [
      {
        ...deed,
        runs: [],
        text: printed.subject || deed.text,
        tail: printed.sha,
        ...(git.length > 0 ? { git } : {}),
      },
    ]
  }
  const [run] = (deed.runs ?? []) as readonly PendingRun[]
  const isCounted = count === 1 && /^ \d+ files? changed/m.test(output)
  const isMade = run !== undefined && statusOutcome(run, exit, '') === 'passed'
  if (isMade || isCounted) return [{ ...deed, runs: [] }]
  // `quiet git commit` prints what it likes, and of `git commit -q; ls` the status is another's.
  const [act] = deed.git ?? []
  const isOpen =
    exit === 0 && run?.proof?.zero === undefined && !NOTHING.test(output) && deed.text !== ''
  return isOpen && act ? [{ ...deed, runs: [], git: [{ ...act, isUnproven: true }] }] : []
}

const NOTHING = /nothing (added )?to commit|no changes added to commit|did not match any file/

/** The end of a command's output, where it says what went wrong. */
export function lastLines(output: string): string {
  const end = output.slice(-4 * MAX_CHARACTERS).replace(COLOURS, '')
  const lines = end
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  return lines.slice(-MAX_LINES).join('\n').slice(-MAX_CHARACTERS)
}

export function shortCommand(command: string): string {
  const text = command.trim()
  return text.length <= MAX_COMMAND ? text : `${text.slice(0, MAX_COMMAND)}…`
}
