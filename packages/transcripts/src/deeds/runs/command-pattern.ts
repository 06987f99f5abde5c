import { type Invocation, invocationsIn } from '../shell/invocations.ts'
import { runKindOf } from './run-kind.ts'

/** Other spellings of an option, for programs in which people use both. */
const SAME_OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'git push': { '-f': '--force', '-d': '--delete' },
  'git commit': { '-n': '--no-verify', '-a': '--all' },
  'git add': { '--all': '-A' },
  rm: { '-R': '-r', '--recursive': '-r', '--force': '-f' },
}
/** Of git, what stands before its command and takes a value. */
const GIT_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree'])

export interface CommandPattern {
  readonly program: string
  readonly words: readonly string[]
  readonly options: readonly string[]
  readonly tasks: readonly string[]
}

/** One program is compared with the patterns of many rules. */
const ranPatterns = new WeakMap<Invocation, CommandPattern>()

/** Whether a text names one program with plain words. */
export function isReadableCommand(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused
  if (text.trim() === '' || /[\u0000-\u001f\u007f|&;<>()`$"'\\#]/.test(text)) return false
  const [one, ...more] = invocationsIn(text)
  return one !== undefined && more.length === 0
}

export function parseCommandPattern(text: string): CommandPattern | undefined {
  const [one] = invocationsIn(text)
  return one && patternOf(one)
}

function patternOf(one: Invocation): CommandPattern {
  const args = plainArgs(one)
  const name =
    one.program === 'git' ? `git ${args.find((arg) => !arg.startsWith('-')) ?? ''}` : one.program
  const known = SAME_OPTIONS[name] ?? {}
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const options = before.filter((arg) => /^-./.test(arg)).flatMap((arg) => spelled(arg, known))
  const words = args.filter((arg, at) => !/^-/.test(arg) || (end !== -1 && at > end))
  const tasks = runKindOf(one)?.tasks ?? []
  return {
    program: one.program,
    words,
    options,
    tasks: tasks.map(
      ({ tool, name, workspace, folder = '' }) => `${tool}:${workspace ?? folder}:${name}`,
    ),
  }
}

/** `-fu` is `-f -u`; the value behind `=` stays with its option. */
function spelled(option: string, known: Readonly<Record<string, string>>): string[] {
  const isBundle = /^-[A-Za-z]{2,}$/.test(option) && Object.keys(known).length > 0
  const single = isBundle ? [...option.slice(1)].map((letter) => `-${letter}`) : [option]
  return single.map((one) => known[one] ?? one)
}

function plainArgs({ program, args }: Invocation): readonly string[] {
  if (program !== 'git') return args
  let at = 0
  while (at < args.length && args[at]?.startsWith('-')) at += GIT_VALUES.has(args[at] ?? '') ? 2 : 1
  return args.slice(at)
}

/**
 * Whether a program that ran is the one that a pattern names: the pattern's words come first and in its order, its options stand
 * anywhere. `npm test` is `npm run test`: a task counts by its name, however it was started.
 */
export function matchesPattern(pattern: CommandPattern, one: Invocation): boolean {
  const ran = ranPatterns.get(one) ?? patternOf(one)
  ranPatterns.set(one, ran)
  const hasOptions = pattern.options.every((option) => ran.options.includes(option))
  if (!hasOptions) return false
  if (pattern.tasks.length > 0 && ran.tasks.length > 0)
    return pattern.tasks.every((task) => ran.tasks.includes(task))
  return (
    ran.program === pattern.program && pattern.words.every((word, at) => ran.words[at] === word)
  )
}
