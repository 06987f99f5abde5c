import { Failure } from '../../core/failure.ts'
import { globMatcher, nameGlob } from './glob.ts'
import { CONTEXT_LINES, type Match, MatchCollector } from './match-collector.ts'
import { runRipgrep } from './ripgrep.ts'

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
/** The contract's, and what read_file denies. */
const EXCLUDED = ['node_modules', '.git', 'dist', 'build', '.next', '.context', '.env*']

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
  const collector = new MatchCollector(limit, filePattern ? globMatcher(filePattern) : () => true)
  const { ended, exitCode, complaint } = await runRipgrep({
    args: ripgrepArguments(request),
    cwd: root,
    timeoutMs,
    signal,
    onMessage: (message) => {
      collector.take(message)
      return collector.hasEnough
    },
  })
  if (exitCode === 2 && /regex|PCRE2|pattern/i.test(complaint)) throw invalidPattern(pattern)
  const { matches, totalMatches, filesSearched, filesMatched } = collector
  const incomplete = collector.isTruncated || ended === 'timed-out'
  return {
    matches: matches.sort((a, b) => compare(a.file, b.file) || a.line - b.line),
    pattern,
    totalMatches,
    filesSearched: filesSearched ?? filesMatched,
    searchTime: Math.round(performance.now() - started),
    ...(incomplete ? { truncated: true as const } : {}),
    ...messageOf(pattern, totalMatches, ended === 'timed-out' ? timeoutMs : undefined),
  }
}

export function ripgrepArguments({ pattern, filePattern, caseSensitive }: GrepRequest): string[] {
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
    ...EXCLUDED.map((glob) => `--iglob=!${glob}`),
    `--regexp=${pattern}`,
    '--',
    './',
  ]
}

function messageOf(
  pattern: string,
  total: number,
  timedOutMs: number | undefined,
): { message?: string } {
  if (timedOutMs !== undefined)
    return {
      message: `Stopped after ${timedOutMs / 1000} s; narrow the search with filePattern or a simpler pattern`,
    }
  return total === 0 ? { message: `No matches found for pattern '${pattern}'` } : {}
}

function invalidPattern(pattern: string): Failure {
  return new Failure('invalid_regex', 'Invalid regex pattern', { data: { pattern } })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
