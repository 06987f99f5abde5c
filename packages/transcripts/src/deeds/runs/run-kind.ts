import type { CommandKind } from '../deed.ts'
import { type Invocation, programName } from '../shell/invocations.ts'

/** What a program is run for, as far as its own words tell. */
export interface RunKind {
  readonly kind: CommandKind
  /** The runner whose summary is expected; absent if any may come. */
  readonly runner?: string
  /** Names that only the project's own files explain: `mise run test:ci`. */
  readonly tasks?: readonly NamedTask[]
  /** It runs no tests, whatever it prints: it lists them, or shows what another program wrote. */
  readonly isNoTest?: boolean
}

export interface NamedTask extends TaskPlace {
  readonly tool: TaskTool
  /** Empty for what the tool does if it is given no name. */
  readonly name: string
}

/** Where the files stand that define a task, as far as the options say. */
export interface TaskPlace {
  readonly folder?: string
  readonly file?: string
  /** A package of a workspace, by its name or its folder. */
  readonly workspace?: string
}

export type TaskTool =
  | 'npm'
  | 'make'
  | 'just'
  | 'task'
  | 'mise'
  | 'composer'
  | 'deno'
  | 'cargo'
  | 'rake'
  | 'tox'
  | 'nox'
  | 'poe'
  | 'script'

const OTHER: RunKind = { kind: 'other' }
const NO_TEST: RunKind = { kind: 'other', isNoTest: true }

/** Programs that look around, move files or talk to the shell: how they end says nothing about the work. */
const LOOKS = new Set(
  (
    'ls ll dir tree cat bat head tail less more grep egrep fgrep rg ag ack find fd locate which whereis type command echo printf print cd pushd popd pwd ' +
    'wc sort uniq cut tr tee sed awk gawk diff cmp comm stat file du df env date sleep wait true false : test [ [[ ]] ps pgrep pkill kill killall lsof ss netstat ' +
    'mkdir rmdir rm cp mv touch chmod chown ln export set unset source . alias read return exit break continue shift local declare readonly trap ulimit umask ' +
    'basename dirname realpath readlink jq yq xxd od hexdump strings column nl fold paste join split history clear whoami id uname hostname uptime free top ' +
    'git gh glab hub open xdg-open code man help info tput seq yes jobs fg bg disown exec eval let Get-Content Get-ChildItem Select-String Write-Host Write-Output ' +
    'Select-Object Where-Object ForEach-Object Out-Null Out-String Start-Sleep Test-Path Remove-Item Copy-Item Move-Item New-Item Set-Location Get-Location function time times sha256sum md5sum base64 tar zip unzip gzip xargs secretary claude'
  ).split(' '),
)

/** A program that is always run for one thing. */
const PROGRAMS: Readonly<Record<string, CommandKind>> = Object.fromEntries(
  (
    [
      [
        'test',
        'pytest py.test jest vitest mocha ava tap karma jasmine wtr web-test-runner testcafe nightwatch uvu tape gotestsum ginkgo rspec cucumber phpunit pest paratest codecept behat phpspec ctest bats prove busted elm-test shellspec unittest nose2 nosetests trial green',
      ],
      [
        'lint',
        'eslint biome prettier ruff flake8 pylint mypy pyright basedpyright ty golangci-lint staticcheck gofmt goimports gofumpt revive rubocop standardrb stylelint shellcheck shfmt black isort ktlint detekt swiftlint swiftformat phpstan psalm php-cs-fixer pint phpcs phpcbf oxlint dprint rustfmt vue-tsc svelte-check actionlint hadolint yamllint markdownlint markdownlint-cli2 tflint ansible-lint sqlfluff pre-commit lint-staged cppcheck clang-format clang-tidy knip depcheck bandit credo xo standard eslint_d prettierd tsgo djlint cspell codespell',
      ],
      [
        'build',
        'esbuild webpack rollup tsup tsdown swc parcel ninja javac kotlinc gcc g++ clang clang++ rustc cmake meson msbuild tsc unbuild ncc pkg',
      ],
      ['install', 'pip pip3 brew apt apt-get dnf yum apk pacman gem pipx corepack'],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)

/** Only listing, only compiling or only asking: no test is run. */
const NO_RUN =
  /^(--collect-only|--co|--list|--listTests|--list-tests|-list|--no-run|--version|--help|-h|--showConfig|--show-config|--init|--clearCache|--fixtures|--markers|--setup-plan|--dry-run|--print|--list-different-tests)(=|$)/

/** Programs whose first word says what they are run for. */
const VERBS: Readonly<Record<string, Readonly<Record<string, CommandKind>>>> = {
  go: verbs('vet fmt', 'build install generate', 'get mod'),
  cargo: {
    ...verbs('clippy fmt', 'build b check c rustc doc', 'add install fetch update'),
    test: 'test',
    t: 'test',
    nextest: 'test',
    tarpaulin: 'test',
    'llvm-cov': 'test',
    mutants: 'test',
  },
  dotnet: { ...verbs('format', 'build publish pack', 'add restore'), test: 'test', vstest: 'test' },
  swift: { ...verbs('format', 'build', ''), test: 'test' },
  flutter: { ...verbs('analyze format', 'build', 'pub'), test: 'test' },
  dart: { ...verbs('analyze format', 'compile', 'pub'), test: 'test' },
  mix: { ...verbs('format credo dialyzer', 'compile', 'deps.get'), test: 'test' },
  deno: { ...verbs('lint fmt check', 'compile bundle', 'install add cache'), test: 'test' },
  bazel: { ...verbs('', 'build', ''), test: 'test' },
  stack: { ...verbs('', 'build', ''), test: 'test' },
  cabal: { ...verbs('', 'build', ''), test: 'test' },
  dune: { ...verbs('', 'build', ''), test: 'test', runtest: 'test' },
  zig: { ...verbs('fmt', '', ''), test: 'test' },
  lein: { ...verbs('', 'compile uberjar', 'deps'), test: 'test' },
  sbt: { ...verbs('scalafmt', 'compile package', ''), test: 'test', testOnly: 'test' },
  forge: { ...verbs('fmt', 'build', 'install'), test: 'test' },
  hardhat: { ...verbs('', 'compile', ''), test: 'test' },
  anchor: { ...verbs('', 'build', ''), test: 'test' },
  ng: { ...verbs('lint', 'build', 'add'), test: 'test', e2e: 'test' },
  'react-scripts': { ...verbs('', 'build', ''), test: 'test' },
  next: verbs('lint', 'build', ''),
  vite: verbs('', 'build', ''),
  astro: verbs('check', 'build', ''),
  nest: verbs('', 'build', ''),
  nuxt: verbs('', 'build', ''),
  playwright: { test: 'test', install: 'install' },
  cypress: { run: 'test', install: 'install' },
  rails: { test: 'test', 'test:system': 'test', spec: 'test' },
  artisan: { test: 'test' },
  docker: verbs('', 'build', 'pull'),
  bundle: verbs('', '', 'install update'),
  poetry: verbs('', 'build', 'install add update'),
  uv: verbs('', 'build', 'sync add pip lock'),
  terraform: verbs('validate fmt', '', 'init'),
  helm: verbs('lint', 'package', ''),
  buf: verbs('lint', 'build generate', ''),
  molecule: { test: 'test', verify: 'test' },
  vitest: { list: 'other', init: 'other' },
  'vue-cli-service': { ...verbs('lint', 'build', ''), 'test:unit': 'test', 'test:e2e': 'test' },
  meson: { compile: 'build', setup: 'build', test: 'test' },
  xcodebuild: { test: 'test', build: 'build', archive: 'build' },
  mage: {},
}

function verbs(lint: string, build: string, install: string): Record<string, CommandKind> {
  const of = (names: string, kind: CommandKind) =>
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => [name, kind] as const)
  return Object.fromEntries([...of(lint, 'lint'), ...of(build, 'build'), ...of(install, 'install')])
}

const NPM_OWN =
  /^(install|i|ci|add|remove|rm|uninstall|un|update|up|upgrade|outdated|link|unlink|publish|pack|init|create|view|info|ls|list|why|audit|config|cache|version|login|logout|whoami|root|prefix|bin|store|import|dedupe|prune|rebuild|patch|patch-commit|set|get|help|search|env|setup|doctor|approve-builds|workspaces|plugin|pm|exec|dlx|x|-v|--version)$/
/** Options of npm, pnpm and yarn that take a value. */
const NPM_VALUES = /^(--prefix|-w|--workspace|--filter|-F|-C|--dir|--cwd|--loglevel|--reporter)$/
const MAKE_VALUES = /^(-C|-f|-I|-o|-W|--directory|--file|--makefile)$/

interface PlaceOptions {
  readonly folder?: RegExp
  readonly file?: RegExp
}

const PLACES: Readonly<Partial<Record<TaskTool, PlaceOptions>>> = {
  npm: { folder: /^(--prefix|-C|--dir|--cwd)$/ },
  make: { folder: /^(-C|--directory)$/, file: /^(-f|--file|--makefile)$/ },
  just: { folder: /^(-d|--working-directory)$/, file: /^(-f|--justfile)$/ },
  task: { folder: /^(-d|--dir)$/, file: /^(-t|--taskfile)$/ },
  mise: { folder: /^(-C|--cd)$/ },
  composer: { folder: /^(-d|--working-dir)$/ },
  rake: { file: /^(-f|--rakefile)$/ },
  deno: { folder: /^--cwd$/, file: /^(-c|--config)$/ },
  cargo: { folder: /^-C$/, file: /^--manifest-path$/ },
  tox: { file: /^(-c|--conf)$/ },
  nox: { file: /^(-f|--noxfile)$/ },
  poe: { folder: /^(-C|--directory|--root)$/ },
}
const WORKSPACE = /^(--filter|-F|-w|--workspace|--scope|--projects|-p)$/

/** Undefined for programs that only look around. */
export function runKindOf(
  invocation: Pick<Invocation, 'program' | 'args' | 'words'>,
): RunKind | undefined {
  const found = kindOf(invocation)
  if (!found?.tasks) return found
  const { program, args } = invocation
  return {
    ...found,
    tasks: found.tasks.map((task) => ({ ...placeOf(task, program, args), ...task })),
  }
}

function placeOf({ tool }: NamedTask, program: string, args: readonly string[]): TaskPlace {
  const { folder, file } = PLACES[tool] ?? {}
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  const at = folder && valuesOf(own, folder).at(-1)
  const from = file && valuesOf(own, file).at(-1)
  const isPackage = tool === 'npm' && !(program === 'pnpm' && own.includes('-w'))
  const [workspace] = isPackage
    ? program === 'yarn' && own.includes('workspace')
      ? own.slice(own.indexOf('workspace') + 1)
      : valuesOf(own, WORKSPACE)
    : []
  return {
    ...(at === undefined ? {} : { folder: at }),
    ...(from === undefined ? {} : { file: from }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

function kindOf({
  program,
  args,
  words,
}: Pick<Invocation, 'program' | 'args' | 'words'>): RunKind | undefined {
  if (LOOKS.has(program) || program === '' || program.startsWith('$')) return undefined
  const plain = args.filter((arg) => !arg.startsWith('-'))
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return packageRun(program, args)
    case 'node':
    case 'tsx':
    case 'ts-node':
      return args.some((arg) => /^--test(=|$)/.test(arg))
        ? { kind: 'test', runner: 'node' }
        : scriptKind(plain[0])
    case 'python':
    case 'python3':
    case 'py':
      return pythonRun(args)
    case 'coverage':
      return args.includes('run') ? pythonRun(args.slice(args.indexOf('run') + 1)) : undefined
    case 'go':
      return goRun(args)
    case 'php':
      return plain[0] === undefined || !/^(php|-)/.test(args[0] ?? '') || args[0] === 'artisan'
        ? inner(args, words)
        : args[0] === '-l'
          ? { kind: 'lint' }
          : inner(
              args.filter((arg, at) => !arg.startsWith('-d') && args[at - 1] !== '-d'),
              words,
            )
    case 'c8':
    case 'nyc':
      return inner(args.slice(args.findIndex((arg) => !arg.startsWith('-'))), words)
    case 'ruby':
      return plain.some((arg) => /(_test|_spec)\.rb$|^test\//.test(arg)) || args.includes('-Itest')
        ? { kind: 'test' }
        : inner(plain, words)
    case 'make':
    case 'gmake':
      return isAsked(args, /^(-n|--dry-run|--just-print|-p|--version|-v|-h|--help)$/)
        ? OTHER
        : tasksOf(
            'make',
            targetsIn(args, MAKE_VALUES).filter((name) => !/^\d+$/.test(name)),
            {
              kind: 'build',
              tasks: [{ tool: 'make', name: '' }],
            },
          )
    case 'just':
      return justRun(args)
    case 'task':
    case 'go-task':
      return isAsked(args, /^(-l|-a|--list|--list-all|--summary|-n|--dry|--init|-i)$/)
        ? OTHER
        : tasksOf('task', targetsIn(args, /^(-d|-t|--dir|--taskfile)$/), firstOf('task'))
    case 'mise':
    case 'rtx':
      return miseRun(args)
    case 'turbo':
    case 'lerna':
    case 'moon':
    case 'ultra':
    case 'nx':
      return monorepoRun(args)
    case 'deno':
      return plain[0] === 'task' && plain[1] !== undefined
        ? tasksOf('deno', [plain[1]])
        : byVerb(program, args, plain)
    case 'rake':
      return isAsked(args, /^(-T|--tasks|-n|--dry-run|-P|--prereqs)$/)
        ? OTHER
        : tasksOf('rake', targetsIn(args, /^(-f|--rakefile)$/), {
            ...OTHER,
            tasks: [{ tool: 'rake', name: 'default' }],
          })
    case 'rails':
      return VERBS.rails?.[plain[0] ?? ''] ? { kind: 'test' } : tasksOf('rake', plain.slice(0, 1))
    case 'composer':
      return composerRun(targetsIn(args, /^(-d|--working-dir)$/))
    case 'tox':
    case 'nox':
      return isAsked(args, /^(-l|--list|--listenvs|--version|--help|-h)$/)
        ? OTHER
        : tasksOf(
            program,
            (program === 'tox'
              ? valuesOf(args, /^(-e|--env)$/)
              : [...valuesOf(args, /^(-e|-s|--sessions?)$/)]
            ).flatMap((names) => names.split(',')),
            { kind: 'test', tasks: [{ tool: program, name: '' }] },
          )
    case 'poe':
    case 'inv':
    case 'invoke':
    case 'doit':
    case 'mage':
    case 'grunt':
    case 'gulp':
    case 'ant':
    case 'earthly':
    case 'rush':
      return tasksOf(
        'poe',
        targetsIn(args, /^(-C|--directory|--root)$/)
          .slice(0, 1)
          .map((name) => name.replace(/^\+/, '')),
      )
    case 'gradle':
    case 'gradlew':
      return gradleRun(args, plain)
    case 'mvn':
    case 'mvnw':
    case 'mvnd':
      return mavenRun(args, plain)
    case 'docker':
      if (plain.includes('logs')) return NO_TEST
      return plain[0] === 'compose' && plain.includes('build')
        ? { kind: 'build' }
        : byVerb(program, args, plain)
    case 'tsc':
      return {
        kind: args.some((arg) => arg === '--noEmit' || arg === '--version') ? 'lint' : 'build',
        runner: 'tsc',
      }
    case 'zig':
      return plain[0] === 'build'
        ? { kind: plain.includes('test') ? 'test' : 'build' }
        : byVerb(program, args, plain)
    case 'clj':
    case 'clojure':
      return { kind: args.some((arg) => /^-[XM]:.*test/.test(arg)) ? 'test' : 'other' }
    case 'xcodebuild':
      return { kind: plain.some((arg) => /^test/.test(arg)) ? 'test' : 'build' }
    case 'cmake':
      return { kind: 'build' }
    case 'sail':
      return plain[0] === 'test' ? { kind: 'test' } : inner(args, words)
    case 'curl':
    case 'wget':
    case 'ssh':
    case 'psql':
    case 'mysql':
    case 'sqlite3':
    case 'journalctl':
    case 'kubectl':
      return NO_TEST
    case 'sh':
    case 'bash':
    case 'zsh':
      return scriptKind(plain[0])
    default:
      return byVerb(program, args, plain)
  }
}

function byVerb(program: string, args: readonly string[], plain: readonly string[]): RunKind {
  const verb = plain.find((arg) => !arg.startsWith('+')) ?? ''
  const table = VERBS[program]
  const kind = table?.[verb] ?? (table && !PROGRAMS[program] ? undefined : PROGRAMS[program])
  if (kind === 'test')
    return {
      kind: doesRun(args) ? 'test' : program === 'cargo' ? 'build' : 'other',
      runner: RUNNERS[program],
      ...(doesRun(args) ? {} : { isNoTest: true }),
    }
  if (kind !== undefined) return { kind, runner: program }
  if (program === 'cargo' && verb !== '') return tasksOf('cargo', [verb])
  return /[./\\]/.test(program) || /\.(sh|py|js|ts|mjs|rb|pl)$/.test(program)
    ? scriptKind(program)
    : OTHER
}

/** The summary that these programs print; the others' is whatever comes. */
const RUNNERS: Readonly<Record<string, string>> = {
  pytest: 'pytest',
  'py.test': 'pytest',
  jest: 'jest',
  vitest: 'vitest',
  mocha: 'mocha',
  cargo: 'cargo',
  gotestsum: 'go',
  ginkgo: 'go',
  phpunit: 'phpunit',
  paratest: 'phpunit',
  rspec: 'rspec',
  dotnet: 'dotnet',
  deno: 'deno',
  playwright: 'playwright',
  bats: 'bats',
}

function doesRun(args: readonly string[]): boolean {
  return !args.some((arg) => NO_RUN.test(arg))
}

function goRun(given: readonly string[]): RunKind {
  // `go -C api test ./...`
  const args = given[0] === '-C' ? given.slice(2) : given
  const [verb = ''] = args.filter((arg) => !arg.startsWith('-'))
  if (verb === 'run' || verb === 'tool') {
    const tool = args.find((arg) => /gotestsum|ginkgo|golangci-lint|staticcheck/.test(arg))
    if (tool)
      return /gotestsum|ginkgo/.test(tool) ? { kind: 'test', runner: 'go' } : { kind: 'lint' }
    return OTHER
  }
  if (verb !== 'test') return { kind: VERBS.go?.[verb] ?? 'other', runner: 'go' }
  if (args.includes('-c')) return { kind: 'build', runner: 'go' }
  if (!doesRun(args)) return NO_TEST
  // `-run '^$'` runs no test: it compiles them, or goes with `-bench`.
  const pattern =
    args.find((arg) => /^--?run=/.test(arg))?.replace(/^--?run=/, '') ??
    args[args.findIndex((arg) => /^--?run$/.test(arg)) + 1]
  const isNone =
    args.some((arg) => /^--?run(=|$)/.test(arg)) &&
    /^(\^\$|NONE|XXX|\^NONE\$|NoTests?|none)$/i.test(pattern ?? '')
  return isNone ? { kind: 'build', runner: 'go' } : { kind: 'test', runner: 'go' }
}

function pythonRun(args: readonly string[]): RunKind {
  const module = args[args.indexOf('-m') + 1]
  if (args.includes('-m') && module !== undefined) {
    if (module === 'coverage') return pythonRun(args.slice(args.indexOf('run') + 1))
    const rest = args.slice(args.indexOf('-m') + 2)
    if (/^(unittest|nose2?|pytest|twisted\.trial)/.test(module))
      return {
        kind: doesRun(rest) ? 'test' : 'other',
        ...(module === 'pytest' ? { runner: 'pytest' } : {}),
      }
    if (module === 'tox' || module === 'nox')
      return runKindOf({ program: module, args: rest, words: [] }) ?? OTHER
    if (module === 'pip') return { kind: 'install' }
    if (/^(build|compileall|py_compile)$/.test(module)) return { kind: 'build' }
    return { kind: PROGRAMS[module] ?? 'other' }
  }
  const [file = '', verb] = args.filter((arg) => !arg.startsWith('-'))
  if (/(^|\/)manage\.py$/.test(file)) return { kind: verb === 'test' ? 'test' : 'other' }
  if (/(^|\/)setup\.py$/.test(file)) return { kind: verb === 'test' ? 'test' : 'build' }
  return args.includes('-c') ? OTHER : scriptKind(file)
}

/** A script's name says what it is for only if it is a shell script; other files are whatever their author tried. */
function scriptKind(file: string | undefined): RunKind {
  if (file === undefined) return OTHER
  const name = programName(file)
  if (/\.(sh|bash|zsh)$/.test(name) || (!/\.\w+$/.test(name) && /[/\\]/.test(file)))
    return { kind: kindOfName(name.replace(/\.\w+$/, '')) }
  return OTHER
}

function inner(args: readonly string[], words: Invocation['words']): RunKind | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  if (at === -1) return OTHER
  return runKindOf({ program: programName(args[at] ?? ''), args: args.slice(at + 1), words })
}

function packageRun(program: string, args: readonly string[]): RunKind | undefined {
  // Of pnpm, `-w` stands for the root of the workspace.
  const given = program === 'pnpm' ? args.filter((arg) => arg !== '-w') : args
  const plain = targetsIn(given, NPM_VALUES)
  const [first = '', second] = plain
  if (program === 'bun' && (first === 'test' || (first === '' && args.includes('test'))))
    return { kind: doesRun(args) ? 'test' : 'other', runner: 'bun' }
  if (program === 'bun' && first === 'build') return { kind: 'build' }
  if (first === '' || /^(install|i|ci|add|update|up|upgrade)$/.test(first))
    return { kind: 'install' }
  if (program === 'yarn' && first === 'workspace') return packageRun(program, plain.slice(2))
  if (program === 'yarn' && first === 'workspaces') return tasksOf('npm', plain.slice(-1))
  if (/^(run|run-script|rum|urn)$/.test(first)) {
    if (second === undefined) return undefined
    if (/[/\\]|\.\w+$/.test(second)) return scriptKind(second)
    return tasksOf('npm', [second], undefined, args)
  }
  if (/^(t|tst|test)$/.test(first)) return tasksOf('npm', ['test'], { kind: 'test' }, args)
  if (NPM_OWN.test(first)) return OTHER
  if (/[/\\]|\.\w+$/.test(first)) return scriptKind(first)
  // `yarn jest` and `pnpm vitest` run a program of the project; everything else is one of its scripts.
  if (program !== 'npm' && (PROGRAMS[first] !== undefined || VERBS[first] !== undefined))
    return runKindOf({ program: first, args: args.slice(args.indexOf(first) + 1), words: [] })
  return tasksOf('npm', [first], undefined, args)
}

function miseRun(args: readonly string[]): RunKind {
  const plain = targetsIn(args, /^(-C|--cd|-j|--jobs|-E|--env)$/)
  const [verb = '', ...rest] = plain
  if (/^(run|r)$/.test(verb)) return tasksOf('mise', namesBetween(rest))
  if (/^(tasks|task|t)$/.test(verb))
    return rest[0] === 'run' || rest[0] === 'r'
      ? tasksOf('mise', namesBetween(rest.slice(1)))
      : OTHER
  if (/^(install|i|use|up|upgrade)$/.test(verb)) return { kind: 'install' }
  if (
    /^(ls|list|env|exec|x|where|which|doctor|trust|config|settings|current|activate|self-update|plugins|version|prune|uninstall|outdated|reshim|set|cache|watch|w|)$/.test(
      verb,
    )
  )
    return OTHER
  return tasksOf('mise', [verb])
}

/** `mise run a ::: b` runs both; what follows a name are its arguments. */
function namesBetween(words: readonly string[]): string[] {
  return words.filter((_word, at) => at === 0 || words[at - 1] === ':::')
}

function monorepoRun(args: readonly string[]): RunKind {
  const plain = targetsIn(
    args,
    /^(--filter|-F|--scope|--projects|-p|--parallel|--base|--head|--exclude|--concurrency|-c|--configuration)$/,
  )
  const targets = valuesOf(args, /^(-t|--target|--targets)$/).flatMap((value) => value.split(','))
  const [first = '', second] = plain
  const names =
    targets.length > 0
      ? targets
      : first === 'run'
        ? plain.slice(1)
        : /^(affected|run-many|exec|affected:\w+)$/.test(first)
          ? [second ?? first.replace(/^affected:/, '')]
          : [first]
  return tasksOf(
    'npm',
    names.map((name) =>
      name
        .split(':')
        .filter((part) => part !== '')
        .slice(
          names.length === 1 &&
            first === 'run' &&
            /^[\w@/.-]+:[\w-]+$/.test(name) &&
            args[0] === 'run'
            ? -1
            : 0,
        )
        .join(':'),
    ),
  )
}

function firstOf(tool: TaskTool): RunKind {
  return { ...OTHER, tasks: [{ tool, name: '' }] }
}

function isAsked(args: readonly string[], only: RegExp): boolean {
  return args.some((arg) => only.test(arg))
}

/** What follows the first name are its arguments, or a recipe of a module: `just api test`. */
function justRun(args: readonly string[]): RunKind {
  if (isAsked(args, /^(-l|--list|--summary|-n|--dry-run|--show|-s|--evaluate|--fmt|--choose)$/))
    return OTHER
  const [name, second] = targetsIn(args, /^(-f|-d|--justfile|--working-directory|--set)$/).filter(
    (one) => !one.includes('='),
  )
  if (name === undefined) return firstOf('just')
  // `just api/test` looks for the justfile there.
  const slash = name.lastIndexOf('/')
  if (slash !== -1)
    return tasksOf('just', [name.slice(slash + 1)], OTHER, [], { folder: name.slice(0, slash) })
  const found = tasksOf('just', [name])
  const isModule = found.kind === 'other' && second !== undefined
  return isModule ? tasksOf('just', [name, `${name}::${second}`]) : found
}

function composerRun(plain: readonly string[]): RunKind {
  const [first = '', second] = plain
  if (/^(install|require|update|i|u)$/.test(first)) return { kind: 'install' }
  if (/^(run|run-script)$/.test(first)) return tasksOf('composer', second ? [second] : [])
  if (
    /^(dump-autoload|show|info|outdated|validate|why|remove|create-project|global|exec|config|audit)$/.test(
      first,
    )
  )
    return OTHER
  return tasksOf('composer', [first])
}

function gradleRun(args: readonly string[], plain: readonly string[]): RunKind {
  const skipped = valuesOf(args, /^(-x|--exclude-task)$/)
  const names = plain
    .filter((name) => !skipped.includes(name))
    .map((name) => name.split(':').at(-1) ?? '')
  const isTest = (name: string) =>
    /^(test|check|.*Tests?|.*UnitTest|.*AndroidTest)$/.test(name) &&
    !/^(compile|build|process|assemble)/.test(name)
  if (
    names.some(isTest) &&
    !skipped.some((name) => /(^|:)test$/.test(name)) &&
    !args.some((arg) => arg === '--dry-run' || arg === '-m')
  )
    return { kind: 'test', runner: 'gradle' }
  if (names.some((name) => /^(lint|ktlint|detekt|spotless|checkstyle|spotbugs|pmd)/i.test(name)))
    return { kind: 'lint', runner: 'gradle' }
  return {
    kind: names.some((name) =>
      /^(build|assemble|compile|bundle|jar|bootJar|package|install|publish|testClasses)/i.test(
        name,
      ),
    )
      ? 'build'
      : 'other',
    runner: 'gradle',
  }
}

function mavenRun(args: readonly string[], plain: readonly string[]): RunKind {
  const skips = args.some((arg) => /^-D(skipTests|maven\.test\.skip)(=true)?$/.test(arg))
  const isTest = plain.some((goal) =>
    /^(test|verify|integration-test|surefire:test|failsafe:.*)$/.test(goal),
  )
  if (isTest && !skips) return { kind: 'test', runner: 'junit' }
  if (plain.some((goal) => /^(checkstyle|spotless|pmd|spotbugs|formatter):/.test(goal)))
    return { kind: 'lint', runner: 'junit' }
  return { kind: 'build', runner: 'junit' }
}

function tasksOf(
  tool: TaskTool,
  names: readonly string[],
  fallback: RunKind = OTHER,
  args: readonly string[] = [],
  place: TaskPlace = {},
): RunKind {
  const tasks = names
    .filter((name) => name !== '' && !name.includes('='))
    .map((name) => ({ tool, name, ...place }))
  if (tasks.length === 0) return fallback
  const kinds = tasks.map(({ name }) => kindOfName(name))
  const kind =
    kinds.find((one) => one === 'test') ??
    kinds.find((one) => one !== 'other') ??
    (tool === 'make' || fallback.kind === 'other' ? 'other' : fallback.kind)
  return { kind: kind === 'test' && !doesRun(args) ? 'other' : kind, tasks }
}

/** Words that are neither options nor the values of options; what follows `--` belongs to the program behind. */
function targetsIn(args: readonly string[], takesValue: RegExp): string[] {
  const targets: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') break
    if (takesValue.test(arg)) at++
    else if (!arg.startsWith('-')) targets.push(arg)
  }
  return targets
}

function valuesOf(args: readonly string[], option: RegExp): string[] {
  return args.flatMap((arg, at) => {
    const [name = '', value] = arg.split('=', 2)
    // `-Cdir`
    if (/^-[A-Za-z]./.test(arg) && option.test(arg.slice(0, 2))) return [arg.slice(2)]
    if (!option.test(name)) return []
    const given = value ?? args[at + 1]
    return given === undefined ? [] : [given]
  })
}

const NAME_KINDS: readonly (readonly [CommandKind, RegExp])[] = [
  [
    'lint',
    /^(lint|lints|linter|eslint|biome|ruff|format|fmt|prettier|typecheck|types|tsc|typescript|mypy|pyright|clippy|vet|style|golangci|rubocop|stan|phpstan|cs|stylelint)$/,
  ],
  ['build', /^(build|builds|compile|bundle|dist|package|assemble|rebuild|prebuild)$/],
  ['install', /^(install|bootstrap|deps)$/],
  [
    'other',
    /^(gen|generate|generates|codegen|setup|prepare|clean|db|migrate|seed|up|down|start|stop|serve|server|dev|deploy|release|publish|docs|doc|watch|ui|open|report|data|fixtures|fixture|env|container|image|docker|logs?|reset|debug|list|init|update|snapshots?|create|new|add|scaffold|download|mock|mocks)$/,
  ],
]
const TEST_NAME =
  /^(tests?|testing|e2e|spec|specs|unit|units|integration|pytest|jest|vitest|phpunit|rspec|mocha|cypress|playwright|nextest|gotest|unittest|unittests|smoke)$/

/** What a task's name says: `test:ci` runs tests, `test:build`, `lint:test` and `testdata` do not; `check` says nothing. */
export function kindOfName(name: string): CommandKind {
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace('type-check', 'typecheck')
    .replace('check-types', 'typecheck')
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '' && part !== 'run' && part !== 'go' && part !== 'npm')
  const kindOfPart = (part: string) => NAME_KINDS.find(([, pattern]) => pattern.test(part))?.[0]
  const test = parts.findIndex((part) => TEST_NAME.test(part))
  const others = parts.map(kindOfPart)
  if (test === -1) return others.find((kind) => kind !== undefined) ?? 'other'
  // `test:unit:watch` still runs tests; `test:types` does not.
  const rival = others.find(
    (kind, at) =>
      kind !== undefined &&
      !/^(watch|ui|debug|update|snapshots?|report|dev|docker|container|env|server|db|list|all)$/.test(
        parts[at] ?? '',
      ),
  )
  if (rival !== undefined) return rival
  return test > 0 && others[0] === 'other' ? 'other' : 'test'
}
