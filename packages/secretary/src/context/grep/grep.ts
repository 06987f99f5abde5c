import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { excludedGlobs, isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { globMatcher } from '@secretary-mcp/core/glob.ts'
import { hasEndlessRules, withoutRules } from './endless-rules.ts'
import {
  CONTEXT_LINES,
  confirmLines,
  type Match,
  MatchCollector,
  type RipgrepMessage,
} from './match-collector.ts'

const LONGEST_COMPLAINT = 4096
const SUSPECT_AFTER_MS = 300
/** One line of 20 MB in which every sign matches makes a message of gigabytes. */
const LONGEST_MESSAGE = 4 * 1024 * 1024
/** An ignore file that never ends would have ripgrep take all the memory there is. In KB. */
const MOST_MEMORY_KB = 1_000_000

export interface GrepRequest {
  readonly pattern: string
  readonly filePattern?: string
  readonly caseSensitive: boolean
  readonly limit: number
}

export interface GrepAnswer {
  readonly matches: readonly Match[]
  readonly pattern: string
  /** Matching lines; a lower bound where `truncated`. */
  readonly totalMatches: number
  readonly filesSearched: number
  readonly searchTime: number
  readonly truncated?: true
  readonly message?: string
}

const TIMEOUT_MS = 5_000
/** Found, nothing found, bad input. */
const EXIT_CODES = [0, 1, 2]

/** Exact text search over the project's files, ended at the limit. */
export async function grep(
  root: string,
  request: GrepRequest,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<GrepAnswer> {
  const { pattern, filePattern, limit } = request
  const started = performance.now()
  if (pattern.includes('\0')) throw invalidPattern(pattern)
  const fits = filePattern ? globMatcher(filePattern) : () => true
  const run = async (extra: readonly string[], isStuck?: RipgrepRun['isStuck']) => {
    const collector = new MatchCollector(limit, (path) => fits(path) && !isNeverShown(path))
    const onMessage = (message: RipgrepMessage) => {
      collector.take(message)
      return collector.hasEnough
    }
    const args = [...extra, ...ripgrepArguments(request)]
    const bounds = { cwd: root, timeoutMs, signal }
    return { collector, ...(await runRipgrep({ args, ...bounds, onMessage, isStuck })) }
  }
  const first = await run([], async (stop) => hasEndlessRules(await realpath(root), stop))
  // An ignore file of the project never ends: ripgrep waits for it, or was ended by its memory limit.
  const isBroken =
    first.ended === 'stuck' ||
    (first.ended === 'completed' && !EXIT_CODES.includes(first.exitCode ?? -1))
  const { collector, ended, exitCode, complaint, leftOut } = isBroken
    ? await run(await withoutRules(root))
    : first
  if (exitCode === 2 && /regex|PCRE2|pattern/i.test(complaint)) throw invalidPattern(pattern)
  const realRoot = await realpath(root)
  const matches = collector.matches.filter((match) =>
    confirmLines(realRoot, match.file, collector.read.get(match) ?? []),
  )
  const totalMatches = collector.totalMatches - (collector.matches.length - matches.length)
  const isIncomplete = collector.isTruncated || ended === 'timed-out' || leftOut > 0
  return {
    matches: matches.sort((a, b) => compare(a.file, b.file) || a.line - b.line),
    pattern,
    totalMatches,
    filesSearched: collector.filesSearched ?? collector.filesMatched,
    searchTime: Math.round(performance.now() - started),
    ...(isIncomplete ? { truncated: true as const } : {}),
    ...messageOf(pattern, {
      totalMatches,
      shown: matches.length,
      leftOut,
      timedOutMs: ended === 'timed-out' ? timeoutMs : undefined,
      isMore: collector.isTruncated,
    }),
  }
}

function ripgrepArguments({ pattern, filePattern, caseSensitive }: GrepRequest): string[] {
  const name = filePattern ? nameGlob(filePattern) : undefined
  return [
    '--json',
    // A configuration of the person's own must not change what the tool answers.
    '--no-config',
    '--no-messages',
    '--no-require-git',
    '--hidden',
    '--engine=auto',
    '--max-filesize=20M',
    `--context=${CONTEXT_LINES}`,
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    // A glob would bring ignored files back; a type does not.
    ...(name ? [`--type-add=wanted:${name}`, '--type=wanted'] : []),
    ...excludedGlobs().map((glob) => `--iglob=!${glob}`),
    `--regexp=${pattern}`,
    '--',
    './',
  ]
}

interface Ending {
  readonly totalMatches: number
  readonly shown: number
  /** The search stopped at its limit. */
  readonly isMore: boolean
  readonly leftOut: number
  readonly timedOutMs?: number
}

function messageOf(pattern: string, ending: Ending): { message?: string } {
  const { totalMatches, shown, isMore, leftOut, timedOutMs } = ending
  if (timedOutMs !== undefined)
    return {
      message: `Stopped after ${timedOutMs / 1000} s; narrow the search with filePattern or a simpler pattern`,
    }
  if (isMore)
    return {
      message: `More than ${shown} matches; the search stopped there, so totalMatches and filesSearched are at least these. Raise limit or narrow the search with filePattern`,
    }
  if (leftOut > 0)
    return { message: `${leftOut} matching lines are too long to show; open those files instead` }
  return totalMatches === 0 ? { message: `No matches found for pattern '${pattern}'` } : {}
}

function invalidPattern(pattern: string): Failure {
  return new Failure('invalid_regex', 'Invalid regex pattern', { data: { pattern } })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface RipgrepRun {
  readonly args: readonly string[]
  readonly cwd: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Gets each message; true ends the run. */
  readonly onMessage: (message: RipgrepMessage) => boolean
  /** Asked when it takes longer than most searches do: whether it waits for what never comes. */
  readonly isStuck?: (signal: AbortSignal) => Promise<boolean>
}

interface RipgrepEnd {
  readonly ended: 'completed' | 'stopped' | 'timed-out' | 'stuck'
  readonly exitCode: number | null
  readonly complaint: string
  /** Lines too long to be taken in; they matched and are not shown. */
  readonly leftOut: number
}

/** Runs ripgrep without a shell, and ends it as soon as nobody needs more. */
async function runRipgrep({
  args,
  cwd,
  timeoutMs,
  signal,
  onMessage,
  isStuck = async () => false,
}: RipgrepRun): Promise<RipgrepEnd> {
  signal.throwIfAborted()
  const [program, ...given] = boundedCommand(await binary(), args)
  const child = spawn(program, given, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let ended: RipgrepEnd['ended'] = 'completed'
  let complaint = ''
  const stop = (why: RipgrepEnd['ended']) => {
    if (ended === 'completed') ended = why
    child.stdout.destroy()
    child.kill('SIGKILL')
  }
  const cancel = () => stop('stopped')
  const timer = setTimeout(() => stop('timed-out'), timeoutMs)
  const looking = new AbortController()
  const suspect = setTimeout(async () => {
    if ((await isStuck(looking.signal)) && !looking.signal.aborted) stop('stuck')
  }, SUSPECT_AFTER_MS)
  signal.addEventListener('abort', cancel, { once: true })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += chunk.toString()
  })
  let leftOut = 0
  child.stdout.on(
    'data',
    lineReader(
      (line) => {
        if (ended === 'completed' && onMessage(JSON.parse(line) as RipgrepMessage)) stop('stopped')
      },
      () => leftOut++,
    ),
  )
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(existsSync(cwd) ? unavailable(error) : noProject(error)),
      )
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    return { ended, exitCode, complaint, leftOut }
  } finally {
    clearTimeout(timer)
    clearTimeout(suspect)
    looking.abort()
    signal.removeEventListener('abort', cancel)
  }
}

/** Splits at newlines in bytes: a character may be cut in two between chunks, a newline cannot. */
function lineReader(
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      if (size + at - from > LONGEST_MESSAGE) onTooLong()
      else onLine(Buffer.concat([...waiting, chunk.subarray(from, at)]).toString('utf8'))
      waiting = []
      size = 0
      from = at + 1
    }
    size += chunk.length - from
    if (size > LONGEST_MESSAGE) waiting = []
    else if (from < chunk.length) waiting.push(chunk.subarray(from))
  }
}

function boundedCommand(program: string, args: readonly string[]): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args]
  const script = `ulimit -v ${MOST_MEMORY_KB} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', '-c', script, program, ...args]
}

let found: Promise<string> | undefined

/** The one from our dependencies; where its package for this platform is missing, the one on the path. */
function binary(): Promise<string> {
  found ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => 'rg',
  )
  return found
}

/** A working directory that is missing looks to the system as a missing program does. */
function noProject(cause: Error): Failure {
  return new Failure('not_found', 'The project folder does not exist', {
    cause,
    data: {
      details: 'It was moved or deleted; start the server in the right folder, or pass --project',
    },
  })
}

function unavailable(cause: Error): Failure {
  return new Failure('tool_unavailable', 'ripgrep could not be started', {
    cause,
    data: {
      details: 'Install Secretary again with optional dependencies, or put `rg` on the PATH',
    },
  })
}

/** The part of a glob that is about the name alone, where it says anything: it lets ripgrep skip other files early. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const unusable =
    glob.startsWith('!') || name === '' || name.includes('**') || hasSlashInBrackets(glob)
  return unusable ? undefined : name
}

/** Such a slash parts no folders, so that what follows the last one is no name. */
function hasSlashInBrackets(glob: string): boolean {
  let isOpen = false
  let hasSlash = false
  for (const sign of glob) {
    if (sign === '{' || sign === '[') isOpen = true
    else if (sign === '}' || sign === ']') {
      if (isOpen && hasSlash) return true
      isOpen = false
      hasSlash = false
    } else if (sign === '/' && isOpen) hasSlash = true
  }
  return false
}
