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
  readonly redirections: readonly Redirection[]
  /** How a later `echo` shows its status: the text around the number. */
  readonly echo?: readonly [before: string, after: string]
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

interface Around {
  readonly proof: Proof
  readonly folder: string | undefined
  readonly filters: readonly (readonly string[])[]
  readonly isBackground: boolean
  readonly isSilent: boolean
  readonly shells: number
  readonly echo?: Invocation['echo']
}

class Walk {
  readonly found: Invocation[] = []
  readonly #meter?: Meter
  #stopsAtFailure = false
  #pipefail = false
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
        this.#stopsAtFailure && around.proof.zero === 'passed' ? { zero: 'passed' } : NONE
      const proof = chain.isBackground ? NONE : isLast ? around.proof : early
      const echo = chain.isBackground ? undefined : echoIn(chains[at + 1])
      this.#chain(chain, {
        ...around,
        proof,
        ...(echo ? { echo } : {}),
        isBackground: around.isBackground || chain.isBackground,
      })
    }
    this.#folder = before
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
    for (const [at, pipeline] of pipelines.entries()) {
      const isEchoed =
        at === pipelines.length - 1 && rest.every(({ operator }) => operator === '&&')
      const { echo, ...others } = around
      // After `a && b; echo $?` a zero proves both, anything else only says that one of them failed.
      const shown =
        echo && isEchoed && (pipelines.length === 1 || pipelines.slice(0, at).every(cannotFail))
          ? { echo }
          : {}
      this.#pipeline(pipeline, {
        ...others,
        ...shown,
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
      const own = isLast
        ? this.#pipefail && stages.length > 1
          ? { zero: passing(proof.zero) }
          : proof
        : this.#pipefail
          ? {
              zero: passing(proof.zero),
              ...(at === 0 && rest.every(isFilter) ? { other: proof.other } : {}),
            }
          : NONE
      const filters = [...after.flatMap(filterWords), ...around.filters].slice(0, MAX_FILTERS)
      const { echo, ...others } = around
      const isEchoed = isLast || this.#pipefail
      this.#command(stage, {
        ...others,
        ...(echo && isEchoed ? { echo } : {}),
        proof: own,
        filters,
        folder: this.#folder,
      })
    }
  }

  #command(command: Command, around: Around): void {
    if (this.found.length >= MAX_INVOCATIONS) return
    if (command.type === 'compound') {
      this.list(command.list, { ...around, proof: NONE, echo: undefined })
      return
    }
    if (command.type === 'group') {
      const isSilent = around.isSilent || isOutputAway(command.redirections)
      this.list(command.list, { ...around, isSilent })
      if (!command.isSubshell) this.#folder = lastFolder(command.list, around.folder)
      return
    }
    this.#simple(command, around)
  }

  #simple(command: SimpleCommand, around: Around): void {
    for (const list of command.nested)
      this.list(list, { ...around, proof: NONE, echo: undefined, isSilent: true })
    const unwrapped = unwrap(command.words)
    const isSilent = around.isSilent || isOutputAway(command.redirections)
    if (unwrapped.script !== undefined) {
      if (around.shells >= MAX_SHELLS) return
      const inner = { ...around, isSilent, shells: around.shells + 1 }
      this.list(parseShell(unwrapped.script, this.#meter), inner)
      return
    }
    const [name, ...words] = unwrapped.words
    if (name === undefined) return
    const program = programName(name.text)
    const args = words.map(({ text }) => text)
    if (program === 'cd' || program === 'pushd' || program === 'Set-Location')
      this.#folder = folderAfter(around.folder, words)
    if (program === 'set') this.#set(args)
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
      ...(around.echo ? { echo: around.echo } : {}),
    })
  }

  #set(args: readonly string[]): void {
    if (args.some((arg) => /^-\w*e/.test(arg)) || args.includes('errexit'))
      this.#stopsAtFailure = true
    if (args.includes('pipefail')) this.#pipefail = true
  }
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

function simpleIn({ stages }: Pipeline): SimpleCommand | undefined {
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

/** The text around the number in `echo "exit: $?"`, if the next command is such an echo. */
function echoIn(chain: Chain | undefined): readonly [string, string] | undefined {
  const command = chain && simpleIn(chain.first)
  const [name, ...words] = command?.words ?? []
  if (name?.text !== 'echo' && name?.text !== 'printf') return undefined
  const text = words.map((word) => word.text).join(' ')
  const found = /^([^$`]*)(?:\$\?|\$\{\?\}|\$LASTEXITCODE)([^$`]*)$/.exec(text)
  return found ? [found[1] ?? '', (found[2] ?? '').replace(/\\n$/, '')] : undefined
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
}
/** Their status is that of the program they start, and nobody would miss them in a name. */
const TRANSPARENT = new Set(
  'timeout gtimeout time env nohup nice ionice stdbuf command exec builtin sudo caffeinate setsid unbuffer xvfb-run cross-env dotenv'.split(
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
      const script = flag === -1 ? undefined : rest[flag + 1]
      return script ? { words, shown, script: script.text } : { words, shown }
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
    if (inner === undefined && isUnknownStarter(program, rest)) {
      words = rest
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

function isUnknownStarter(program: string, [first, second]: readonly Word[]): boolean {
  if (!first || !second || !STARTED.test(first.text)) return false
  return /^[a-z][\w-]*$/.test(program) && !ASKS_ABOUT.test(program)
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
  return rest.slice(at)
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
