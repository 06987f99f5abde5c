import type { CommandKind, Run, RunOutcome } from '../deed.ts'
import type { Invocation, Proof } from '../shell/invocations.ts'
import { failureLineOf, type Printed, plainText, printedOutcomes } from './printed-outcome.ts'
import { type NamedTask, type RunKind, runKindOf } from './run-kind.ts'

const MAX_RUNS = 12
const MAX_COMMAND = 200
const MAX_FILTERS = 6

/** What is needed to judge a run once its result comes; it goes with the command until then and is not kept. */
export interface PendingRun extends Run {
  readonly proof?: Proof
  readonly runner?: string
  readonly filters?: readonly (readonly string[])[]
  readonly isSilent?: boolean
  readonly echo?: Invocation['echo']
  readonly marks?: Invocation['marks']
  /** Started by a program that we do not know, which may leave out of a summary what it does not understand. */
  readonly isGuess?: boolean
  /** It lists tests, or only shows what others print: no summary is its own. */
  readonly isNoTest?: boolean
}

/** The programs of a command line whose end says something, in order. */
export function runsIn(invocations: readonly Invocation[]): PendingRun[] {
  const runs: PendingRun[] = []
  for (const [at, one] of invocations.entries()) {
    const found = runKindOf(one) ?? hookKind(one)
    if (!found) continue
    const { kind, runner, tasks, isNoTest } = found
    const shown = readBack(one, invocations.slice(at + 1))
    runs.push({
      kind,
      command: kind === 'git' ? gitText(one) : one.text.replace(/\s+/g, ' ').slice(0, MAX_COMMAND),
      ...(one.folder ? { folder: one.folder } : {}),
      ...(tasks
        ? { tasks: tasks.slice(0, 4).map(({ tool, name }: NamedTask) => `${tool}:${name}`) }
        : {}),
      proof: one.isBackground ? {} : one.proof,
      ...(runner ? { runner } : {}),
      ...(shown.filters.length > 0 ? { filters: shown.filters.slice(0, MAX_FILTERS) } : {}),
      ...(shown.isSilent || one.isBackground ? { isSilent: true } : {}),
      ...(one.echo ? { echo: one.echo } : {}),
      ...(one.marks ? { marks: one.marks } : {}),
      ...(isNoTest ? { isNoTest } : {}),
      ...(one.isGuess ? { isGuess: true } : {}),
    })
  }
  // The programs that prove something are not pushed out by those before them.
  const telling = runs.filter(({ kind }) => kind !== 'other' && kind !== 'git')
  return (telling.length > 0 ? telling : runs).slice(-MAX_RUNS)
}

/** A project's hooks may run its tests when something is committed or pushed: only what they print tells. */
function hookKind({ program, args }: Invocation): RunKind | undefined {
  const isHooked = program === 'git' && args.some((arg) => arg === 'commit' || arg === 'push')
  return isHooked && !args.includes('--no-verify') ? { kind: 'git' } : undefined
}

/** Without the message. */
function gitText({ args }: Invocation): string {
  return `git ${args.find((arg) => arg === 'commit' || arg === 'push')}`
}

/** `cmd > log; tail log`: what was written to a file is seen if a later program of the line shows it. */
function readBack(
  one: Invocation,
  later: readonly Invocation[],
): Pick<Invocation, 'filters' | 'isSilent'> {
  if (!one.isSilent) return one
  const files = one.redirections
    .filter(({ operator }) => operator.includes('>'))
    .map(({ target }) => target.text)
  const reader = later.find(
    ({ program, args }) =>
      /^(cat|tail|head|grep|rg|egrep)$/.test(program) && args.some((arg) => files.includes(arg)),
  )
  return reader
    ? {
        isSilent: false,
        filters: [
          [reader.program, ...reader.args.filter((arg) => !files.includes(arg))],
          ...reader.filters,
        ],
      }
    : one
}

/** Whether the words of the result are needed to judge these runs. */
export function needsOutput(runs: readonly Run[] | undefined): boolean {
  return runs !== undefined && runs.length > 0
}

export interface CommandEnd {
  readonly exit?: number
  readonly output: string
}

/** Statuses of a program that was stopped, not of one that came to an end. */
const STOPPED = new Set([124, 130, 137, 141, 143])
const CD_FAILED = /(^|\n)[^\n]{0,80}\bcd:[^\n]{0,200}(no such file|not a directory|can't cd)/i

/** How each run ended: by its own status, or by what it printed; otherwise the outcome stays unknown. */
export function settleRuns(pending: readonly PendingRun[], { exit, output }: CommandEnd): Run[] {
  const printed = pending.some(({ isSilent }) => !isSilent) ? printedOutcomes(output) : []
  const runs = withTests(pending, printed)
  const cut = cutOf(output)
  const kept = runs.filter(({ kind }) => kind !== 'git')
  return kept.map((run) => {
    const byStatus = statusOutcome(run, exit, output, printed)
    const said = run.isSilent ? undefined : printedFor(run, runs, printed, cut)
    const isDoubtful = run.isGuess && said === 'passed' && exit !== undefined && exit !== 0
    const byPrint = isDoubtful ? undefined : said
    // A failure that was printed or returned is a failure; a success needs that nothing speaks against it.
    const outcome = byStatus === 'failed' || byPrint === 'failed' ? 'failed' : (byStatus ?? byPrint)
    return plainRun(run, outcome)
  })
}

export function plainRun({ kind, command, folder, tasks }: PendingRun, outcome?: RunOutcome): Run {
  return {
    kind,
    command,
    ...(folder ? { folder } : {}),
    ...(tasks ? { tasks } : {}),
    ...(outcome ? { outcome } : {}),
  }
}

/** A summary of tests proves that tests ran, whatever the program is called. */
function withTests(runs: readonly PendingRun[], printed: readonly Printed[]): PendingRun[] {
  const isTested = printed.some(({ about }) => about === 'test')
  if (!isTested || runs.some(({ kind }) => kind === 'test')) return [...runs]
  const seen = runs.filter(({ isSilent }) => !isSilent)
  const unnamed = seen.filter(
    ({ kind, isNoTest }) => !isNoTest && (kind === 'other' || kind === 'git'),
  )
  const [first] = unnamed
  if (first && (unnamed.length === 1 || unnamed.every(({ kind }) => kind === 'git')))
    return runs.map((run) => (run === first ? asTest(run) : run))
  // `mvn package` builds and tests.
  const [only] = seen
  const isMore = only?.tasks !== undefined || /^(junit|gradle)$/.test(only?.runner ?? '')
  return seen.length === 1 && only && isMore
    ? [...runs, { ...only, kind: 'test' as const, proof: { zero: only.proof?.zero } }]
    : [...runs]
}

function asTest(run: PendingRun): PendingRun {
  // Of a commit, the status is git's; only what its hook printed is the tests' own.
  if (run.kind !== 'git') return { ...run, kind: 'test' }
  return { ...run, kind: 'test', proof: {} }
}

export function statusOutcome(
  { proof = {}, echo, marks, kind, runner }: PendingRun,
  exit: number | undefined,
  output: string,
  printed: readonly Printed[] = [],
): RunOutcome | undefined {
  // A runner that found no tests has neither passed nor failed.
  const about = printed.filter((sign) => sign.about === 'test')
  const isEmpty = about.length > 0 && about.every(({ outcome }) => outcome === 'empty')
  if (kind === 'test' && (isEmpty || (runner === 'pytest' && exit === 5))) return undefined
  const said = marks && saidIn(marks, output)
  if (said !== undefined) return said
  const shown = echo && echoed(echo, output)
  if (shown !== undefined) return STOPPED.has(shown) ? undefined : shown === 0 ? 'passed' : 'failed'
  if (exit === undefined || STOPPED.has(exit) || CD_FAILED.test(output)) return undefined
  return exit === 0 ? proof.zero : proof.other
}

/** Which of the two a line printed; neither if the program itself may have printed it. */
function saidIn(
  { passed, failed }: NonNullable<PendingRun['marks']>,
  output: string,
): RunOutcome | undefined {
  const lines = plainText(output)
    .split('\n')
    .map((line) => line.trim())
  const isSaid = (mark: string | undefined) => mark !== undefined && lines.includes(mark)
  const isOwn = (mark: string) => printedOutcomes(mark).length === 0
  if (passed !== undefined && failed !== undefined)
    return isSaid(passed) === isSaid(failed) ? undefined : isSaid(passed) ? 'passed' : 'failed'
  if (passed !== undefined) return isOwn(passed) && isSaid(passed) ? 'passed' : undefined
  return failed !== undefined && isOwn(failed) && isSaid(failed) ? 'failed' : undefined
}

/** The number that an `echo "exit: $?"` printed, if exactly one line has its form. */
function echoed([before, after]: readonly [string, string], output: string): number | undefined {
  const numbers = plainText(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(before.trim()) && line.endsWith(after.trim()))
    .map((line) => line.slice(before.trim().length, line.length - after.trim().length).trim())
    .filter((text) => /^\d{1,3}$/.test(text))
  return numbers.length === 1 ? Number(numbers[0]) : undefined
}

function printedFor(
  run: PendingRun,
  runs: readonly PendingRun[],
  printed: readonly Printed[],
  cut: Cut,
): RunOutcome | undefined {
  const own = ownSigns(run, runs, printed)
  if (own.some(({ outcome }) => outcome === 'failed')) return 'failed'
  const isProven = ({ isPartial, runner }: Printed) =>
    !isPartial || showsFailures(run.filters ?? [], runner, cut)
  return own.some((sign) => sign.outcome === 'passed' && isProven(sign)) ? 'passed' : undefined
}

/** The signs that can only be this run's. */
function ownSigns(
  run: PendingRun,
  runs: readonly PendingRun[],
  printed: readonly Printed[],
): Printed[] {
  const shown = runs.filter(({ isSilent }) => !isSilent)
  const about =
    run.kind === 'test'
      ? ['test']
      : run.kind === 'lint' || run.kind === 'build'
        ? ['lint', 'build']
        : []
  const rivals = shown.filter(({ kind }) => kind === run.kind)
  // Tests that do not compile have failed.
  const isOwnBuild = ({ about: what, runner, outcome }: Printed) =>
    run.kind === 'test' && what === 'build' && outcome === 'failed' && runner === run.runner
  const signs = printed.filter((sign) => about.includes(sign.about) || isOwnBuild(sign))
  const isTask = run.tasks !== undefined || run.runner === 'gradle' || run.runner === 'junit'
  const tools = isTask && shown.length === 1 ? printed.filter((sign) => sign.about === 'tool') : []
  if (run.kind === 'test') {
    // `BUILD SUCCESSFUL` is what the tool's status says, in words.
    const isQuiet = signs.every(({ outcome }) => outcome === 'passed')
    if (rivals.length === 1)
      return [...signs, ...tools.filter(({ outcome }) => outcome === 'failed' || isQuiet)]
    const same = rivals.filter(({ runner }) => runner === run.runner)
    if (
      run.runner !== undefined &&
      same.length === 1 &&
      rivals.every(({ runner }) => runner !== undefined)
    )
      return signs.filter(({ runner }) => runner === run.runner)
    // One whole summary for each of them, in their order.
    const whole = signs.filter(
      ({ isPartial, outcome }) => !isPartial && (outcome === 'passed' || outcome === 'failed'),
    )
    const isOneEach = whole.length === rivals.length && signs.length === whole.length
    if (isOneEach) return [whole[rivals.indexOf(run)]].flatMap((sign) => sign ?? [])
    return signs.length >= rivals.length && signs.every(({ outcome }) => outcome === 'passed')
      ? signs
      : []
  }
  // Of linters and compilers only what they print themselves counts, and only if one of them ran.
  if (rivals.length > 1) {
    const mine = signs.filter(({ runner }) => runner === run.runner)
    return rivals.filter(({ runner }) => runner === run.runner).length === 1 ? mine : []
  }
  const isNamed = run.runner !== undefined && signs.some(({ runner }) => runner === run.runner)
  return [...(isNamed ? signs.filter(({ runner }) => runner === run.runner) : signs), ...tools]
}

interface Cut {
  readonly lines: number
}

function cutOf(output: string): Cut {
  return { lines: output.trimEnd().split('\n').length }
}

/** Runners whose last lines name a failure wherever it was. */
const TELLS_AT_END = new Set(['go', 'cargo', 'bun', 'mocha', 'node', 'gtest', 'jest'])

/** Whether a failure of this runner would have passed all filters between it and what was seen. */
function showsFailures(
  filters: readonly (readonly string[])[],
  runner: string,
  { lines }: Cut,
): boolean {
  const line = failureLineOf(runner)
  return filters.every(([program = '', ...args]) => {
    if (/^(tee|cat|less|more|sort|uniq|nl|ts|column|fold|Out-String|Tee-Object)$/.test(program))
      return true
    const isEnd = program === 'tail' || (program === 'Select-Object' && isGiven(args, '-Last'))
    const isStart = program === 'head' || (program === 'Select-Object' && isGiven(args, '-First'))
    // Some say at their end that something failed; of the others the end alone does not tell.
    if (isEnd && TELLS_AT_END.has(runner)) return true
    if (isEnd || isStart) {
      const isLines = !args.some((arg) => /^(-c|--bytes|\+)/.test(arg))
      return isLines && lines < Number(/(\d+)/.exec(args.join(' '))?.[1] ?? 10)
    }
    if (/^([ef]?grep|rg|ag|Select-String)$/.test(program)) return passesGrep(program, args, line)
    if (program === 'sed' || program === 'perl')
      return !args.some((arg) => /^-\w*n/.test(arg)) && args.some((arg) => /^s(\W)/.test(arg))
    return false
  })
}

function isGiven(args: readonly string[], option: string): boolean {
  return args.some((arg) => arg.toLowerCase() === option.toLowerCase())
}

function passesGrep(program: string, args: readonly string[], line: string): boolean {
  const takesNumber = /^-[ABCm]$/
  const flags: string[] = []
  const patterns: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (takesNumber.test(arg)) at++
    else if (arg === '-e') patterns.push(args[++at] ?? '')
    else if (/^-/.test(arg)) flags.push(arg)
    else if (patterns.length === 0) patterns.push(arg)
  }
  const has = (flag: string, long: string) =>
    flags.some((one) => one === long || (/^-[A-Za-z]+\d*$/.test(one) && one.includes(flag)))
  const isExtended =
    program !== 'grep' || has('E', '--extended-regexp') || has('P', '--perl-regexp')
  const isInverted = has('v', '--invert-match')
  const isFound = patterns.map((pattern) => {
    const written = isExtended ? pattern : basicPattern(pattern)
    try {
      return isQuick(written)
        ? new RegExp(written, has('i', '--ignore-case') ? 'i' : '').test(line)
        : isInverted
    } catch {
      return isInverted
    }
  })
  return isInverted ? !isFound.includes(true) : isFound.includes(true)
}

const MAX_PATTERN = 300
const MAX_REPEATS = 4

/** Somebody else's pattern: one that repeats a group, or repeats often, could take for ever. */
function isQuick(pattern: string): boolean {
  const signs = pattern.replace(/\\./g, 'x').replace(/\[[^\]]{0,200}\]/g, 'x')
  const repeats = signs.match(/[*+{]|(?<!\()\?/g)?.length ?? 0
  return pattern.length <= MAX_PATTERN && repeats <= MAX_REPEATS && !/\)[*+{?]/.test(signs)
}

/** In grep's basic grammar `\|`, `\(` and `\+` are the operators, and `|`, `(` and `+` stand for themselves. */
function basicPattern(pattern: string): string {
  return pattern.replace(/\\?[|()+?{}]/g, (sign) =>
    sign.startsWith('\\') ? sign.slice(1) : `\\${sign}`,
  )
}

/** The kind that a command line is counted under. */
export function kindOfRuns(runs: readonly Run[], isGit: boolean): CommandKind {
  const order = ['test', 'build', 'lint', 'install'] as const
  return order.find((kind) => runs.some((run) => run.kind === kind)) ?? (isGit ? 'git' : 'other')
}
