import { posix } from 'node:path'
import { linesOf, linesThat } from './changed-lines.ts'
import { shortCommand } from './command-end.ts'
import type { CallFacts, DeedFacts, GitAct } from './deed.ts'
import { kindOfRuns, type PendingRun, runsIn } from './runs/runs.ts'
import { type Invocation, invocationsIn, type Proof } from './shell/invocations.ts'

const FILE = /^[^-$*?{}()=,:'"\\]*[^-$*?{}()=,:'"\\/]\.\w{1,12}$/
const SHOWS = /^(cat|head|tail|less|bat|nl|wc)$/
const MAX_FILES = 8
const MAX_PATHS = 60
const MAX_SUBJECT = 120
const MAX_KNOWN = 500

interface Line {
  readonly invocations: readonly Invocation[]
  readonly runs: readonly PendingRun[]
}
/** The same few commands are run again and again. */
const known = new Map<string, Line>()
const MAX_KNOWN_LENGTH = 400

function lineOf(command: string): Line {
  const before = known.get(command)
  if (before) return before
  const invocations = invocationsIn(command)
  const line = { invocations, runs: runsIn(invocations) }
  if (command.length <= MAX_KNOWN_LENGTH && known.size < MAX_KNOWN) known.set(command, line)
  return line
}

/** What a command line does: its programs, the commits it makes, and files that it shows, writes out of itself or removes. */
export function shellDeeds(command: string, { cwd, ...facts }: CallFacts): DeedFacts[] {
  const { invocations, runs } = lineOf(command)
  const acts = invocations.flatMap((one) => actOf(one, cwd) ?? [])
  const isGit = invocations.some(({ program }) => /^(git|gh|glab)$/.test(program))
  const commits = invocations.flatMap((one) => {
    const act = actOf(one, cwd)
    return act?.act === 'commit' ? [{ act, one }] : []
  })
  const others = acts.filter(({ act }) => act !== 'commit')
  const files = (found: readonly string[]) => [...new Set(found)].slice(0, MAX_FILES)
  return [
    {
      ...facts,
      kind: 'command',
      text: shortCommand(command),
      commandKind: kindOfRuns(runs, isGit),
      ...(runs.length > 0 ? { runs } : {}),
      ...(others.length > 0 ? { git: others } : {}),
    },
    ...commits.map(({ act, one }) => ({
      ...facts,
      kind: 'commit' as const,
      text: subjectOf(one),
      git: [act],
      // Whether it was made is decided by its own status.
      runs: [{ kind: 'git' as const, command: 'git commit', proof: one.proof }],
    })),
    ...invocations.flatMap((one) => writtenFiles(one, cwd)).map((file) => ({ ...facts, ...file })),
    ...files(invocations.flatMap((one) => shownFiles(one, cwd))).map((path) => ({
      ...facts,
      kind: 'read' as const,
      path,
    })),
    ...files(invocations.flatMap((one) => removedFiles(one, cwd))).map((path) => ({
      ...facts,
      kind: 'delete' as const,
      path,
    })),
  ]
}

/** A path as it is seen from the agent's shell; undefined if a variable decides where it lies. */
function placed(
  path: string,
  folder: string | undefined,
  cwd: string | undefined,
): string | undefined {
  if (/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return path
  if (folder === undefined) return undefined
  const inside = folder === '' ? path : posix.join(folder, path)
  if (cwd === undefined || /^(\/|[A-Za-z]:)/.test(inside)) return inside
  return cwd.includes('\\') ? `${cwd}\\${inside}` : posix.join(cwd, inside)
}

function filesAmong(one: Invocation, cwd: string | undefined, words = one.words): string[] {
  return words
    .filter(({ isFixed, text }) => isFixed && FILE.test(text))
    .flatMap(({ text }) => placed(text, one.folder, cwd) ?? [])
}

function shownFiles(one: Invocation, cwd: string | undefined): string[] {
  const isShown = SHOWS.test(one.program) || (one.program === 'sed' && one.args[0] === '-n')
  return isShown ? filesAmong(one, cwd) : []
}

function removedFiles(one: Invocation, cwd: string | undefined): string[] {
  if (one.program === 'rm') return filesAmong(one, cwd)
  return one.program === 'git' && gitWords(one).verb === 'rm' && !one.args.includes('--cached')
    ? filesAmong(one, cwd)
    : []
}

/** A here-document that `cat` or `tee` puts into a file. */
function writtenFiles(one: Invocation, cwd: string | undefined): DeedFacts[] {
  if (one.program !== 'cat' && one.program !== 'tee') return []
  const body = one.redirections.find((redirection) => redirection.body !== undefined)?.body
  if (body === undefined) return []
  const target = one.redirections.find(({ operator }) => /^(>|>>|>\|)$/.test(operator))
  const word =
    one.program === 'tee' ? one.words.find(({ text }) => !text.startsWith('-')) : target?.target
  if (!word?.isFixed || !word.text.includes('.')) return []
  const path = placed(word.text, one.folder, cwd)
  const isAdded = target?.operator === '>>' || (one.program === 'tee' && one.args.includes('-a'))
  return path === undefined
    ? []
    : [{ kind: isAdded ? 'change' : 'create', path, lines: linesThat(linesOf(body), []) }]
}

interface GitWords {
  readonly verb: string
  readonly args: readonly Invocation['words'][number][]
  readonly folder: string | undefined
}

/** `git -C dir -c a=b commit …` */
function gitWords({ words, folder }: Invocation): GitWords {
  let at = 0
  let place = folder
  for (; at < words.length; at++) {
    const { text } = words[at] ?? { text: '' }
    if (text === '-C') {
      const target = words[++at]
      place = target?.isFixed
        ? /^(\/|[A-Za-z]:)/.test(target.text) || !place
          ? target.text
          : posix.join(place, target.text)
        : undefined
    } else if (text === '-c' || text === '--git-dir' || text === '--work-tree') at++
    else if (!text.startsWith('-')) break
  }
  return { verb: words[at]?.text ?? '', args: words.slice(at + 1), folder: place }
}

/** Acts that change files back: they count only if they are proven to have been done. */
export interface PendingAct extends GitAct {
  readonly proof?: Proof
}

function actOf(one: Invocation, cwd: string | undefined): PendingAct | undefined {
  const act = readAct(one, cwd)
  return act && /^re/.test(act.act) ? { ...act, proof: one.proof } : act
}

function readAct(one: Invocation, cwd: string | undefined): GitAct | undefined {
  if (one.program !== 'git') return undefined
  const { verb, args, folder } = gitWords(one)
  const flags = args.map(({ text }) => text)
  const at =
    folder === undefined ? undefined : (placed(folder === '' ? '.' : folder, '', cwd) ?? folder)
  const where = at === undefined ? {} : { folder: at }
  const named = (from: readonly GitWords['args'][number][]) =>
    from
      .filter(
        ({ isFixed, text }) =>
          (isFixed || /^[^$`]{0,200}\*{1,200}[^$`]{0,200}$/.test(text)) &&
          !text.startsWith('-') &&
          text !== '',
      )
      .flatMap(({ text }) => placed(text, folder, cwd) ?? [])
      .slice(0, MAX_PATHS)
  switch (verb) {
    case 'init':
      return { act: 'init', ...where }
    case 'add':
    case 'stage': {
      const paths = named(args)
      const isAll = paths.length === 0 && flags.some((flag) => /^(-A|--all)$/.test(flag))
      const isTracked = paths.length === 0 && flags.some((flag) => /^(-u|--update)$/.test(flag))
      const takes = isAll ? 'all' : isTracked ? 'tracked' : undefined
      return { act: 'add', ...where, ...(takes ? { takes } : { paths }) }
    }
    case 'mv':
    case 'rm':
      return { act: 'add', ...where, paths: named(args) }
    case 'commit': {
      if (flags.includes('--dry-run') || flags.includes('--help')) return undefined
      const dashes = flags.indexOf('--')
      const paths = dashes === -1 ? named(commitPaths(args)) : named(args.slice(dashes + 1))
      return {
        act: 'commit',
        ...where,
        ...(flags.some(
          (flag) => flag === '--all' || /^-[a-zA-Z]{0,200}a[a-zA-Z]{0,200}$/.test(flag),
        )
          ? { takes: 'tracked' as const }
          : {}),
        ...(flags.includes('--amend') ? { isAmend: true } : {}),
        ...(paths.length > 0 ? { paths } : {}),
      }
    }
    case 'restore':
      // `--staged` alone leaves the file as it is.
      return flags.includes('--staged') && !flags.includes('--worktree') && !flags.includes('-W')
        ? undefined
        : { act: 'restore', ...where, ...restored(flags, named(args)) }
    case 'checkout': {
      const dashes = flags.indexOf('--')
      if (dashes !== -1)
        return {
          act: 'restore',
          ...where,
          ...restored(flags.slice(dashes + 1), named(args.slice(dashes + 1))),
        }
      if (flags.length === 1 && flags[0] === '.')
        return { act: 'restore', ...where, takes: 'tracked' }
      const paths = named(args).filter((path) => FILE.test(posix.basename(path)))
      return paths.length > 0 && !flags.some((flag) => /^-[bB]/.test(flag))
        ? { act: 'restore', ...where, paths }
        : undefined
    }
    case 'reset':
      return flags.includes('--hard')
        ? {
            act: 'reset',
            ...where,
            refs: flags.filter((flag) => !flag.startsWith('-')).slice(0, 1),
          }
        : undefined
    case 'revert':
      return flags.some((flag) => /^--(abort|quit|skip|continue)$/.test(flag))
        ? undefined
        : {
            act: 'revert',
            ...where,
            refs: flags.filter((flag) => !flag.startsWith('-')).slice(0, 10),
          }
    default:
      return undefined
  }
}

function restored(
  flags: readonly string[],
  paths: readonly string[],
): Pick<GitAct, 'paths' | 'takes'> {
  return flags.includes('.') ? { takes: 'tracked' } : { paths }
}

const COMMIT_VALUES =
  /^(-m|--message|-F|--file|-C|-c|--author|--date|-t|--fixup|--squash|--trailer|-S)$|^-[a-zA-Z]*[mFC]$/

function commitPaths(args: GitWords['args']): GitWords['args'] {
  const paths: GitWords['args'][number][] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.text.startsWith('-')) {
      if (COMMIT_VALUES.test(word?.text ?? '')) at++
    } else paths.push(word)
  }
  return paths
}

function subjectOf({ words }: Invocation): string {
  const at = words.findIndex(({ text }) => /^(--message|-[a-zA-Z]*m)$/.test(text))
  const joined = words
    .find(({ text }) => /^(--message=|-m.)/.test(text))
    ?.text.replace(/^(--message=|-m)/, '')
  const given = at === -1 ? joined : words[at + 1]?.text
  return (given ?? '').trim().split('\n')[0]?.slice(0, MAX_SUBJECT) ?? ''
}
