import { realpath } from 'node:fs/promises'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { excludedGlobs, isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { globMatcher } from '@secretary-mcp/core/glob.ts'
import { confirmLines } from './confirm-matches.ts'
import { hasEndlessRules, withoutRules } from './endless-rules.ts'
import { CONTEXT_LINES, type Match, MatchCollector } from './match-collector.ts'
import { nameGlob } from './name-glob.ts'
import { type RipgrepRun, runRipgrep } from './ripgrep.ts'
import type { RipgrepMessage } from './ripgrep-message.ts'

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
