import { posix } from 'node:path'
import {
  type Chain,
  type Command,
  type List,
  type Meter,
  type Pipeline,
  parseShell,
  type Redirection,
  type SimpleCommand,
  type Word,
} from './parse-shell.ts'

/** What the status of the whole command line proves about one program: nothing if absent. */
export interface Proof {
  readonly zero?: 'passed' | 'failed'
  readonly other?: 'passed' | 'failed'
}

/** One program that is run, with the programs that only start it taken away. */
export interface Invocation {
  /** Without folder and extension: `go`, `gradlew`, `git`. */
  readonly program: string
  readonly args: readonly string[]
  /** As `args`, with what is known about each. */
  readonly words: readonly Word[]
  /** Its own words as written, without redirections and without programs such as `timeout`. */
  readonly text: string
  /** Where it runs, seen from where the command line was started; undefined if a variable decides. */
  readonly folder?: string
  readonly proof: Proof
  /** What its output passes through before it is seen. */
  readonly filters: readonly (readonly string[])[]
  /** Its output goes to a file. */
  readonly isSilent: boolean
  readonly isBackground: boolean
  /** Started by a program that we do not know. */
  readonly isGuess?: boolean
  readonly redirections: readonly Redirection[]
  /** How a later `echo` shows its status: the text around the number. */
  readonly echo?: readonly [before: string, after: string]
  readonly marks?: Marks
}

/** What a line prints only if the program passed, or only if it failed: `… && echo yes || echo no`. */
export interface Marks {
  readonly passed?: string
  readonly failed?: string
}

const MAX_INVOCATIONS = 200
/** Programs behind a program in a pipe. */
const MAX_FILTERS = 20
const MAX_SHELLS = 4
const WHOLE: Proof = { zero: 'passed', other: 'failed' }
const NONE: Proof = {}

/** Every program of a command line in the order in which it is written. */
export function invocationsIn(command: string, meter?: Meter): Invocation[] {
  const walk = new Walk(meter)
  walk.list(parseShell(command, meter), {
    proof: WHOLE,
    folder: '',
    filters: [],
    isBackground: false,
    isSilent: false,
    shells: 0,
  })
  return walk.found
}

interface Options {
  readonly stopsAtFailure: boolean
  readonly pipefail: boolean
}

interface Around {
  readonly proof: Proof
  readonly folder: string | undefined
  readonly filters: readonly (readonly string[])[]
  readonly isBackground: boolean
  readonly isSilent: boolean
  readonly shells: number
  readonly echo?: Invocation['echo']
  /** The `echo` shows the first program's status of a pipe, not the last one's. */
  readonly isOfFirst?: boolean
  readonly marks?: Marks
  /** What a substitution prints is shown by a later program of the line. */
  readonly shownBy?: Around['filters']
}

class Walk {
  readonly found: Invocation[] = []
  readonly #meter?: Meter
  #options: Options = { stopsAtFailure: false, pipefail: false }
  /** Where the last `cd` led. */
  #folder: string | undefined = ''

  constructor(meter?: Meter) {
    this.#meter = meter
  }

  list({ chains }: List, around: Around): void {
    const before = this.#folder
    this.#folder = around.folder
    const last = chains.findLastIndex(({ isBackground }) => !isBackground)
    for (const [at, chain] of chains.entries()) {
      // The list's status is its last program's; if that was sent to the background, it is always 0.
      const isLast = at === last && at === chains.length - 1
      const early: Proof =
        this.#options.stopsAtFailure && around.proof.zero === 'passed' && endsShell(chain)
          ? { zero: 'passed' }
          : NONE
      const use = chain.isBackground || isLast ? undefined : statusUse(chains, at)
      const { echo, marks, shownBy: _outer, ...others } = around
      const shownBy = shownLater(chains, at)
      this.#chain(chain, {
        ...others,
        ...(isLast ? { ...(echo ? { echo } : {}), ...(marks ? { marks } : {}) } : {}),
        ...(use?.echo ? { echo: use.echo } : {}),
        ...(use ? { isOfFirst: use.isOfFirst } : {}),
        ...(shownBy ? { shownBy } : {}),
        proof: chain.isBackground ? NONE : isLast || use?.isExit ? around.proof : early,
        isBackground: around.isBackground || chain.isBackground,
      })
    }
    this.#folder = before
  }

  /** Options that are set in another shell do not change those of this one. */
  #inShell(run: () => void, options: Options = this.#options): void {
    const before = this.#options
    this.#options = options
    run()
    this.#options = before
  }

  #chain({ first, rest }: Chain, around: Around): void {
    const pipelines = [first, ...rest.map(({ pipeline }) => pipeline)]
    const proofs = new Array<Proof>(pipelines.length)
    let proof = around.proof
    // `a && b || c` is `(a && b) || c`: read from the right, each step leaves the proof of what stands left of it.
    for (let at = pipelines.length - 1; at > 0; at--) {
      const operator = rest[at - 1]?.operator
      const left = pipelines.slice(0, at)
      const right = pipelines[at] ?? first
      const sides =
        operator === '&&'
          ? splitAnd(proof, left.every(cannotFail))
          : splitOr(proof, cannotPass(right))
      proofs[at] = sides.right
      proof = sides.left
    }
    proofs[0] = proof
    const said = marksIn({ first, rest })
    for (const [at, pipeline] of pipelines.entries()) {
      const isEchoed =
        at === pipelines.length - 1 && rest.every(({ operator }) => operator === '&&')
      const { echo, marks: outer, ...others } = around
      // After `a && b; echo $?` a zero proves both, anything else only says that one of them failed.
      const isAlone = pipelines.slice(0, at).every(cannotFail)
      const marks = said && at < said.before ? said.marks : isEchoed ? outer : undefined
      const { failed, ...passed } = marks ?? {}
      const isLastMarked = at === (said ? said.before : pipelines.length) - 1
      this.#pipeline(pipeline, {
        ...others,
        ...(echo && isEchoed && isAlone ? { echo } : {}),
        ...(marks ? { marks: isAlone && isLastMarked ? marks : passed } : {}),
        folder: this.#folder,
        proof: proofs[at] ?? NONE,
      })
    }
  }

  #pipeline({ stages, isNegated }: Pipeline, around: Around): void {
    const proof = isNegated
      ? { zero: turned(around.proof.zero), other: turned(around.proof.other) }
      : around.proof
    const rest = stages.slice(1)
    for (const [at, stage] of stages.entries()) {
      if (this.found.length >= MAX_INVOCATIONS) return
      const after = stages.slice(at + 1, at + 1 + MAX_FILTERS)
      const isLast = at === stages.length - 1
      // With pipefail a failure is the first program's if the others only pass on what they get.
      const { pipefail } = this.#options
      const isFirstAlone = at === 0 && rest.every(isFilter)
      const isOwn = around.isOfFirst ? at === 0 : pipefail ? isFirstAlone : isLast
      const own = isOwn
        ? proof
        : pipefail && !around.isOfFirst
          ? { zero: passing(proof.zero) }
          : NONE
      const filters = [...after.flatMap(filterWords), ...around.filters].slice(0, MAX_FILTERS)
      const { echo, marks, isOfFirst: _used, ...others } = around
      this.#command(stage, {
        ...others,
        ...(echo && isOwn ? { echo } : {}),
        ...(marks && isOwn ? { marks } : {}),
        proof: own,
        filters,
        folder: this.#folder,
      })
    }
  }

  #command(command: Command, around: Around): void {
    if (this.found.length >= MAX_INVOCATIONS) return
    const { echo: _echo, marks: _marks, ...unproven } = around
    if (command.type === 'compound') {
      this.list(command.list, { ...unproven, proof: NONE })
      return
    }
    if (command.type === 'group') {
      const isSilent = around.isSilent || isOutputAway(command.redirections)
      const walk = () => this.list(command.list, { ...around, isSilent })
      if (command.isSubshell) this.#inShell(walk)
      else {
        walk()
        this.#folder = lastFolder(command.list, around.folder)
      }
      return
    }
    this.#simple(command, around)
  }

  #simple(command: SimpleCommand, around: Around): void {
    const { shownBy, ...given } = around
    const { echo: _echo, marks: _marks, ...unproven } = given
    // `x=$(…)` ends as its substitution does.
    const isAssigned =
      command.words.length === 0 && command.assignments.length === 1 && command.nested.length === 1
    for (const list of command.nested)
      this.#inShell(() =>
        this.list(list, {
          ...(isAssigned ? given : { ...unproven, proof: NONE }),
          ...(isAssigned && shownBy ? { filters: shownBy } : { isSilent: true }),
        }),
      )
    const unwrapped = unwrap(command.words)
    const isSilent = around.isSilent || isOutputAway(command.redirections)
    const script = unwrapped.script ?? scriptFedTo(unwrapped.words, command)
    if (script !== undefined) {
      if (around.shells >= MAX_SHELLS) return
      const inner = { ...given, isSilent, shells: around.shells + 1 }
      this.#inShell(
        () => this.list(parseShell(script, this.#meter), inner),
        withOptions(NO_OPTIONS, unwrapped.options ?? []),
      )
      return
    }
    const [name, ...words] = unwrapped.words
    if (name === undefined) return
    const program = programName(name.text)
    const args = words.map(({ text }) => text)
    if (program === 'cd' || program === 'pushd' || program === 'Set-Location')
      this.#folder = folderAfter(around.folder, words)
    if (program === 'set') this.#options = withOptions(this.#options, args)
    this.found.push({
      program,
      args,
      words,
      text: sourceOf(unwrapped.shown, command),
      ...(around.folder === undefined ? {} : { folder: around.folder }),
      proof: unwrapped.isGuess ? NONE : around.proof,
      filters: around.filters,
      isSilent,
      isBackground: around.isBackground,
      redirections: command.redirections,
      ...(unwrapped.isGuess ? { isGuess: true } : {}),
      ...(around.echo ? { echo: around.echo } : {}),
      ...(around.marks ? { marks: around.marks } : {}),
    })
  }
}

const NO_OPTIONS: Options = { stopsAtFailure: false, pipefail: false }

/** `-e`, `+e`, `-euo pipefail`, `+o errexit` */
function withOptions(before: Options, args: readonly string[]): Options {
  let { stopsAtFailure, pipefail } = before
  let isOn = true
  for (const arg of args) {
    if (arg === '--') break
    const [, sign, letters = ''] = /^([-+])(\w+)$/.exec(arg) ?? []
    if (sign) isOn = sign === '-'
    if (letters.includes('e') || arg === 'errexit') stopsAtFailure = isOn
    if (arg === 'pipefail') pipefail = isOn
  }
  return { stopsAtFailure, pipefail }
}

/** With `set -e` a failure ends the shell, but not one that `&&`, `||` or `!` takes into account. */
function endsShell({ first, rest }: Chain): boolean {
  const pipelines = [first, ...rest.map(({ pipeline }) => pipeline)]
  return (
    rest.every(({ operator }) => operator === '&&') &&
    pipelines.slice(0, -1).every(cannotFail) &&
    !pipelines.at(-1)?.isNegated
  )
}

function splitAnd(proof: Proof, isLeftSafe: boolean): { left: Proof; right: Proof } {
  const side = (value: Proof['zero'], isRight: boolean): Proof['zero'] =>
    value === 'passed' ? 'passed' : isRight && isLeftSafe ? value : undefined
  return {
    left: { zero: side(proof.zero, false), other: side(proof.other, false) },
    right: { zero: side(proof.zero, true), other: side(proof.other, true) },
  }
}

function splitOr(proof: Proof, cannotRightPass: boolean): { left: Proof; right: Proof } {
  const failing = (value: Proof['zero']) => (value === 'failed' ? 'failed' : undefined)
  const left = (value: Proof['zero']) =>
    value === 'passed' && cannotRightPass ? 'passed' : cannotRightPass ? value : failing(value)
  return {
    left: { zero: left(proof.zero), other: left(proof.other) },
    right: { zero: failing(proof.zero), other: failing(proof.other) },
  }
}

function turned(value: Proof['zero']): Proof['zero'] {
  return value === undefined ? undefined : value === 'passed' ? 'failed' : 'passed'
}

function passing(value: Proof['zero']): Proof['zero'] {
  return value === 'passed' ? value : undefined
}

/** Programs that only fail in a way that shows, such as a folder that is not there. */
const SAFE = new Set(
  'cd pushd popd export set unset echo printf true : mkdir sleep clear pwd source . umask ulimit alias shopt date touch Set-Location'.split(
    ' ',
  ),
)
const FILTERS = new Set(
  'tail head tee cat sed awk sort uniq cut tr less more nl column fold ts strings'.split(' '),
)

function simpleIn({ stages = [] }: Partial<Pipeline> = {}): SimpleCommand | undefined {
  const [command] = stages
  return stages.length === 1 && command?.type === 'simple' ? command : undefined
}

function cannotFail(pipeline: Pipeline): boolean {
  const command = simpleIn(pipeline)
  if (!command) return false
  const [name] = command.words
  if (name === undefined) return command.nested.length === 0
  return SAFE.has(name.text) || (name.text === 'rm' && /^-\w*f/.test(command.words[1]?.text ?? ''))
}

/** `|| exit 1`, `|| false`, `|| { echo …; exit 1; }`: the line ends with 0 only if what stands before it did. */
function cannotPass(pipeline: Pipeline): boolean {
  const [command] = pipeline.stages
  if (pipeline.stages.length !== 1 || command === undefined || command.type === 'compound')
    return false
  if (command.type === 'group') {
    const last = command.list.chains.at(-1)
    return (
      last !== undefined &&
      !last.isBackground &&
      last.rest.every(({ operator }) => operator === '&&') &&
      cannotPass(last.rest.at(-1)?.pipeline ?? last.first)
    )
  }
  const [name, status] = command.words.map(({ text }) => text)
  if (name === 'false') return true
  return (name === 'exit' || name === 'return') && /^[1-9]\d*$/.test(status ?? '')
}

function isFilter(command: Command): boolean {
  return command.type === 'simple' && FILTERS.has(command.words[0]?.text ?? '')
}

function filterWords(command: Command): (readonly string[])[] {
  if (command.type === 'simple') return [unwrap(command.words).words.map(({ text }) => text)]
  return [['(…)']]
}

function isOutputAway(redirections: readonly Redirection[]): boolean {
  return redirections.some(
    ({ operator, fd, target }) =>
      /^(>|>>|>\||&>|&>>)$/.test(operator) &&
      fd !== 2 &&
      !/^\/dev\/(stdout|stderr|tty)$/.test(target.text),
  )
}

interface StatusUse {
  readonly echo?: readonly [string, string]
  /** The whole line ends with this status. */
  readonly isExit: boolean
  readonly isOfFirst: boolean
}

const STATUS = String.raw`\$\?|\$\{\?\}|\$LASTEXITCODE`
const FIRST_STATUS = String.raw`\$\{PIPESTATUS\[0\]\}|\$PIPESTATUS|\$\{?pipestatus\[1\]\}?`

/** How the commands behind a chain show its status or end with it, at once or by way of a variable. */
function statusUse(chains: readonly Chain[], at: number): StatusUse | undefined {
  const kept = simpleIn(chains[at + 1]?.first)
  const [assignment] = kept?.assignments ?? []
  const [, name, value = ''] =
    (kept?.words.length === 0 && /^(\w{1,100})=(.{0,40})$/.exec(assignment?.text ?? '')) || []
  const isOfFirst = new RegExp(`^(${FIRST_STATUS})$`).test(value)
  if (name === undefined)
    return (
      useIn(chains, at + 1, at + 2, STATUS, false) ??
      useIn(chains, at + 1, at + 2, FIRST_STATUS, true)
    )
  if (!isOfFirst && !new RegExp(`^(${STATUS})$`).test(value)) return undefined
  return useIn(
    chains,
    at + 2,
    at + 2 + MAX_FILTERS,
    String.raw`\$${name}\b|\$\{${name}\}`,
    isOfFirst,
  )
}

function useIn(
  chains: readonly Chain[],
  from: number,
  until: number,
  pattern: string,
  isOfFirst: boolean,
): StatusUse | undefined {
  let echo: readonly [string, string] | undefined
  let isExit = false
  for (let at = from; at < Math.min(until, chains.length); at++) {
    const [name, ...words] = simpleIn(chains[at]?.first)?.words ?? []
    const text = words.map((word) => word.text).filter((word) => !/^-[neE]+$/.test(word))
    const found = new RegExp(`^([^$\`]*)(?:${pattern})([^$\`]*)$`).exec(text.join(' '))
    if (!found) continue
    if (name?.text === 'echo' || name?.text === 'printf')
      echo ??= [found[1] ?? '', (found[2] ?? '').replace(/\\n$/, '')]
    isExit ||= name?.text === 'exit' && at === chains.length - 1
  }
  return echo || isExit ? { ...(echo ? { echo } : {}), isExit, isOfFirst } : undefined
}

/** The filters of a later `echo "$x" | …`, if this chain is `x=$(…)`. */
function shownLater(chains: readonly Chain[], at: number): Around['filters'] | undefined {
  const kept = simpleIn(chains[at]?.first)
  const [assignment] = kept?.assignments ?? []
  if (kept?.words.length !== 0 || kept.nested.length !== 1 || assignment === undefined)
    return undefined
  const name = assignment.raw.slice(0, assignment.raw.indexOf('='))
  for (const { first } of chains.slice(at + 1, at + 1 + MAX_FILTERS)) {
    const [command, ...after] = first.stages
    const [program, ...words] = command?.type === 'simple' ? command.words : []
    const isShown = words.some(({ text }) => text === `$${name}` || text === `\${${name}}`)
    if (isShown && /^(echo|printf)$/.test(program?.text ?? ''))
      return after.flatMap(filterWords).slice(0, MAX_FILTERS)
  }
  return undefined
}

/** `a && echo yes || echo no`: the marks, and how many pipelines stand before them. */
function marksIn({
  rest,
}: Pick<Chain, 'first' | 'rest'>): { marks: Marks; before: number } | undefined {
  const last = rest.at(-1)
  const failed = last?.operator === '||' ? saidBy(last.pipeline) : undefined
  const before = failed === undefined ? rest : rest.slice(0, -1)
  const good = before.at(-1)
  const passed = good?.operator === '&&' ? saidBy(good.pipeline) : undefined
  const judged = passed === undefined ? before : before.slice(0, -1)
  if (judged.some(({ operator }) => operator !== '&&') || failed === passed) return undefined
  return {
    marks: {
      ...(passed === undefined ? {} : { passed }),
      ...(failed === undefined ? {} : { failed }),
    },
    before: judged.length + 1,
  }
}

/** What an `echo` prints. */
function saidBy(pipeline: Pipeline): string | undefined {
  const [stage] = pipeline.stages
  const command =
    stage?.type === 'group' ? simpleIn(stage.list.chains[0]?.first) : simpleIn(pipeline)
  const [name, ...words] = command?.words ?? []
  if (name?.text !== 'echo' || command?.redirections.some(({ fd }) => fd === undefined) === true)
    return undefined
  const said = words.filter(({ text }) => !/^-[neE]+$/.test(text))
  const text = said
    .map((word) => word.text)
    .join(' ')
    .trim()
  return text !== '' && said.every(({ isFixed }) => isFixed) ? text : undefined
}

/** The lines that `bash <<EOF` is fed. */
function scriptFedTo(
  [name, ...args]: readonly Word[],
  { redirections }: SimpleCommand,
): string | undefined {
  const isShell = name !== undefined && SHELLS.test(programName(name.text))
  if (!isShell || args.some(({ text }) => !text.startsWith('-'))) return undefined
  return redirections.find(({ body }) => body !== undefined)?.body
}

function folderAfter(folder: string | undefined, words: readonly Word[]): string | undefined {
  const target = words.find(({ text }) => !text.startsWith('-') && text !== '/d')
  if (target === undefined || !target.isFixed || target.text.startsWith('~')) return undefined
  const path = target.text.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return posix.normalize(path).replace(/(.)\/$/, '$1')
  if (folder === undefined) return undefined
  const joined = posix.normalize(posix.join(folder || '.', path)).replace(/\/$/, '')
  return joined === '.' ? '' : joined
}

/** Where `{ cd x; … }` leaves the shell. */
function lastFolder({ chains }: List, folder: string | undefined): string | undefined {
  let at = folder
  for (const { first, rest } of chains)
    for (const pipeline of [first, ...rest.map((one) => one.pipeline)]) {
      const [name, ...words] = simpleIn(pipeline)?.words ?? []
      if (name?.text === 'cd') at = folderAfter(at, words)
    }
  return at
}

export function programName(word: string): string {
  const name = posix.basename(word.replaceAll('\\', '/'))
  return name.replace(/\.(exe|cmd|bat|ps1)$/i, '')
}

/** The words as they stand in the command line, if nothing stands between them that is not theirs. */
function sourceOf(words: readonly Word[], { redirections }: SimpleCommand): string {
  const [first] = words
  const last = words.at(-1)
  if (!first || !last) return ''
  const isBetween = redirections.some(
    ({ target }) => target.start > first.start && target.end < last.end,
  )
  if (isBetween) return words.map(({ raw }) => raw).join(' ')
  let text = first.raw
  for (let at = 1; at < words.length; at++) {
    const gap = (words[at]?.start ?? 0) - (words[at - 1]?.end ?? 0)
    text += `${gap > 0 ? ' ' : ''}${words[at]?.raw ?? ''}`
  }
  return text
}

interface Unwrapped {
  /** The program that is really run, and its arguments. */
  readonly words: readonly Word[]
  /** With programs that are needed to find it, such as `npx` and `uv run`. */
  readonly shown: readonly Word[]
  /** The text of `bash -c`. */
  readonly script?: string
  /** What the shell was given before it. */
  readonly options?: readonly string[]
  /** Started by a program that we do not know: whose status the line has is not certain. */
  readonly isGuess?: boolean
}

/** Options of these programs that take a value of their own. */
const VALUES: Readonly<Record<string, RegExp>> = {
  timeout: /^(-k|-s|--kill-after|--signal)$/,
  gtimeout: /^(-k|-s|--kill-after|--signal)$/,
  env: /^(-u|-C|-S|--unset|--chdir)$/,
  sudo: /^(-u|-g|-h|-p|-C|-U)$/,
  nice: /^(-n|--adjustment)$/,
  xargs: /^(-I|-n|-P|-L|-d|-s|-a|-E|--max-args|--max-procs|--delimiter)$/,
  npx: /^(-p|--package|-c|--call|-w|--workspace)$/,
  uv: /^(--with|--extra|--group|--python|-p|--package|--project|--directory|--env-file|--with-requirements|--index)$/,
  docker:
    /^(-e|--env|-u|--user|-w|--workdir|-f|--file|--env-file|-p|--project-name|--profile|-v|--volume|--name|--network|--entrypoint|--platform|--mount)$/,
  time: /^(-f|-o)$/,
  stdbuf: /^(-i|-o|-e)$/,
  flock: /^(-w|-E|--timeout|--wait)$/,
}
/** Their status is that of the program they start, and nobody would miss them in a name. */
const TRANSPARENT = new Set(
  'timeout gtimeout time env nohup nice ionice stdbuf command exec builtin sudo caffeinate setsid unbuffer xvfb-run cross-env dotenv flock'.split(
    ' ',
  ),
)
/** `npx vitest`: the program is not found without them. */
const LAUNCHERS = new Set('npx bunx pnpx xargs'.split(' '))
/** `uv run pytest`: the second word says that a program follows. */
const LAUNCH_WORDS: Readonly<Record<string, RegExp>> = {
  uv: /^run$/,
  uvx: /^$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  rye: /^run$/,
  hatch: /^run$/,
  bundle: /^exec$/,
  mise: /^(exec|x)$/,
  rtx: /^exec$/,
  asdf: /^exec$/,
  direnv: /^exec$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
  npm: /^(exec|x)$/,
  bun: /^x$/,
  op: /^run$/,
  doppler: /^run$/,
  dotenvx: /^run$/,
  conda: /^run$/,
  mamba: /^run$/,
}
const SHELLS = /^(ba|z|da|k|a)?sh$/
const MAX_WRAPPERS = 8

function unwrap(given: readonly Word[]): Unwrapped {
  let words = given
  let shown = given
  let isNeeded = false
  let isGuess = false
  for (let step = 0; step < MAX_WRAPPERS; step++) {
    const [name, ...rest] = words
    if (name === undefined) break
    const program = programName(name.text)
    if (SHELLS.test(program)) {
      const flag = rest.findIndex(({ text }) => /^-\w*c$/.test(text))
      const options = rest.slice(0, flag === -1 ? rest.length : flag + 1).map(({ text }) => text)
      const script = rest.slice(flag + 1).find(({ text }) => !/^([-+]|pipefail$)/.test(text))
      return flag !== -1 && script
        ? { words, shown, script: script.text, options }
        : { words, shown, options }
    }
    if ((program === 'eval' || program === 'pwsh' || program === 'powershell') && rest.length > 0) {
      const flag = rest.findIndex(({ text }) => /^-c(ommand)?$/i.test(text))
      return {
        words,
        shown,
        script: rest
          .slice(flag + 1)
          .map(({ text }) => text)
          .join(' '),
      }
    }
    if (program === 'cmd' && /^\/c$/i.test(rest[0]?.text ?? ''))
      return {
        words,
        shown,
        script: rest
          .slice(1)
          .map(({ text }) => text)
          .join(' '),
      }
    const inner = TRANSPARENT.has(program)
      ? afterOptions(program, rest)
      : LAUNCHERS.has(program)
        ? afterOptions(program, rest)
        : (launched(program, rest) ?? inContainer(program, rest))
    if (program === 'command' && /^-[vV]$/.test(rest[0]?.text ?? '')) break
    const guess = inner === undefined ? startedBy(program, rest) : undefined
    if (guess) {
      words = guess
      isGuess = true
      continue
    }
    if (inner === undefined || inner.length === 0) break
    words = inner
    isNeeded ||= !TRANSPARENT.has(program)
    if (!isNeeded) shown = inner
  }
  return { words, shown, ...(isGuess ? { isGuess } : {}) }
}

/** Programs that people start through small programs of their own: `retry npm test`, `quiet git commit`. */
const STARTED =
  /^(git|go|cargo|npm|pnpm|yarn|bun|npx|make|mise|just|pytest|vitest|jest|python3?|node|dotnet|mvn|gradle|composer|phpunit|rspec|mix|deno|docker|tsc|eslint)$/
const ASKS_ABOUT =
  /^(which|whereis|type|man|help|echo|printf|hash|alias|unalias|grep|rg|find|fd|ls|cat|pgrep|pkill|killall|killall5|ps|brew|apt|apt-get|pip3?|gem|git|go|cargo|npm|pnpm|yarn|bun|make|mise|just|task|docker|podman|rustup|corepack|volta|nvm|fnm|asdf|cd|test|export|source|set|for|in|sed|awk|kill|touch|mkdir|rm|cp|mv|ln|node|python3?|ruby|php|turbo|nx|lerna|moon|rake|composer|tox|nox|uv|poetry|ssh|sh|bash|zsh)$/

function startedBy(program: string, rest: readonly Word[]): readonly Word[] | undefined {
  if (!/^[a-z][\w-]*$/.test(program) || ASKS_ABOUT.test(program)) return undefined
  // `quiet run npm test`
  const words = /^(run|exec|test|proxy|err|--)$/.test(rest[0]?.text ?? '') ? rest.slice(1) : rest
  return words.length > 1 && STARTED.test(words[0]?.text ?? '') ? words : undefined
}

function afterOptions(program: string, rest: readonly Word[]): readonly Word[] {
  const takesValue = VALUES[program]
  let at = 0
  for (; at < rest.length; at++) {
    const { text } = rest[at] ?? { text: '' }
    if (text === '--') {
      at++
      break
    }
    if (/^\w+=/.test(text) && /^(env|cross-env|sudo|dotenv|exec)$/.test(program)) continue
    if (!text.startsWith('-') || text === '-') break
    if (takesValue?.test(text)) at++
  }
  // `timeout 60 …` and `timeout 2m …`
  if (/^g?timeout$/.test(program) && /^[\d.]+[smhd]?$/.test(rest[at]?.text ?? '')) at++
  // `flock /tmp/lock …`
  return rest.slice(program === 'flock' ? at + 1 : at)
}

function launched(program: string, rest: readonly Word[]): readonly Word[] | undefined {
  const word = LAUNCH_WORDS[program]
  if (word === undefined) return undefined
  if (program === 'uvx') return afterOptions('uv', rest)
  const at = rest.findIndex(({ text }) => !text.startsWith('-'))
  if (at === -1 || !word.test(rest[at]?.text ?? '')) return undefined
  const after = afterOptions(program === 'uv' ? 'uv' : program, rest.slice(at + 1))
  // `direnv exec . cmd` and `conda run -n env cmd`
  if (program === 'direnv') return after.slice(1)
  if ((program === 'conda' || program === 'mamba') && rest.some(({ text }) => text === '-n')) {
    const name = rest.findIndex(({ text }) => text === '-n')
    return rest.slice(name + 2)
  }
  if (program === 'mise' || program === 'op' || program === 'doppler') {
    const dashes = rest.findIndex(({ text }) => text === '--')
    return dashes === -1 ? undefined : rest.slice(dashes + 1)
  }
  return after
}

/** `docker exec web pytest`, `docker compose run --rm api go test ./...`, `kubectl exec pod -- npm test`. */
function inContainer(program: string, rest: readonly Word[]): readonly Word[] | undefined {
  if (program === 'kubectl' || program === 'devcontainer') {
    const dashes = rest.findIndex(({ text }) => text === '--')
    return rest.some(({ text }) => text === 'exec') && dashes !== -1
      ? rest.slice(dashes + 1)
      : undefined
  }
  if (!/^(docker|podman|docker-compose)$/.test(program)) return undefined
  const isCompose = program === 'docker-compose' || rest[0]?.text === 'compose'
  const at = rest.findIndex(({ text }) => text === 'exec' || text === 'run')
  if (at === -1 || at > 6) return undefined
  // Of `docker run IMAGE` the image decides; what is given to it may be no program.
  if (!isCompose && rest[at]?.text === 'run') return undefined
  const after = afterOptions('docker', rest.slice(at + 1)).slice(1)
  return after.length > 0 ? after : undefined
}
