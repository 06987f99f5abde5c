import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import {
  excludedGlobs,
  isLeftOutFolder,
  isNeverShown,
} from '@secretary-mcp/core/files/excluded-paths.ts'
import { keysInFile, utf16Of } from '@secretary-mcp/core/files/private-keys.ts'
import { type FileInside, withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { isInBareRepository } from '@secretary-mcp/core/files/repository.ts'
import { globMatcher } from '@secretary-mcp/core/glob.ts'

/** Where ripgrep looks for rules in every folder that it enters, and in those above the project. */
const RULES: readonly string[] = ['.gitignore', '.ignore', '.rgignore']
const EXCLUDE = join('.git', 'info', 'exclude')
const MAX_RULE_BYTES = 1_000_000

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const MAX_LINE = 300
const MARK = '…'
const LEAD = 80
const CONTEXT_LINES = 2

const MAX_COMPLAINT = 4096
const SUSPECT_AFTER_MS = 300
/** One line of 20 MB in which every sign matches makes a message of gigabytes. */
const MAX_MESSAGE = 4 * 1024 * 1024
/** An ignore file that never ends would have ripgrep take all the memory there is. In KB. */
const MAX_MEMORY_KB = 1_000_000

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
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString()
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
      if (size + at - from > MAX_MESSAGE) onTooLong()
      else onLine(Buffer.concat([...waiting, chunk.subarray(from, at)]).toString('utf8'))
      waiting = []
      size = 0
      from = at + 1
    }
    size += chunk.length - from
    if (size > MAX_MESSAGE) waiting = []
    else if (from < chunk.length) waiting.push(chunk.subarray(from))
  }
}

function boundedCommand(program: string, args: readonly string[]): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args]
  const script = `ulimit -v ${MAX_MEMORY_KB} 2>/dev/null; exec "$0" "$@"`
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

export interface Match {
  readonly file: string
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  readonly text: string
  readonly context: { readonly before: string[]; readonly after: string[] }
}

interface SeenLine extends ReadLine {
  readonly text: string
}

/** Puts matches and the lines around them together as the messages arrive, and knows when there is enough. */
class MatchCollector {
  readonly matches: Match[] = []
  /** What ripgrep read for each match, to be compared with the file itself. */
  readonly read = new Map<Match, ReadLine[]>()
  totalMatches = 0
  /** Known only when ripgrep came to its end. */
  filesSearched?: number
  filesMatched = 0
  readonly #limit: number
  readonly #wants: (path: string) => boolean
  #skipped = false
  #recent: SeenLine[] = []
  #open: Match[] = []

  constructor(limit: number, wants: (path: string) => boolean) {
    this.#limit = limit
    this.#wants = wants
  }

  /** One match too many is seen, and the last one has its lines. */
  get hasEnough(): boolean {
    return this.isTruncated && this.#open.length === 0
  }

  get isTruncated(): boolean {
    return this.totalMatches > this.#limit
  }

  take(message: RipgrepMessage): void {
    if (message.type === 'begin') this.#begin(pathOf(message.data.path))
    else if (message.type === 'end') this.#open = []
    else if (message.type === 'summary') this.filesSearched = message.data.stats.searches
    else if (!this.#skipped) this.#line(message)
  }

  #begin(path: string): void {
    this.#skipped = !this.#wants(path)
    if (!this.#skipped) this.filesMatched++
    this.#recent = []
    this.#open = []
  }

  #line({ type, data }: Extract<RipgrepMessage, { type: 'match' | 'context' }>): void {
    const line = {
      number: data.line_number ?? 0,
      text: textOf(data.lines).replace(/\r?\n$/, ''),
      at: data.absolute_offset,
      bytes: bytesOf(data.lines),
    }
    this.#open = this.#open.filter((match) => line.number <= match.line + CONTEXT_LINES)
    for (const match of this.#open) {
      match.context.after.push(cutLine(line.text))
      this.read.get(match)?.push(line)
    }
    this.#open = this.#open.filter((match) => match.context.after.length < CONTEXT_LINES)
    if (type === 'match') this.#match(line, data)
    this.#recent = [...this.#recent, line].slice(-CONTEXT_LINES)
  }

  #match(line: SeenLine, data: RipgrepLine): void {
    this.totalMatches++
    if (this.matches.length >= this.#limit) return
    const before = this.#recent.filter(({ number }) => number >= line.number - CONTEXT_LINES)
    const place = placeOf(data.lines, data.submatches[0]?.start ?? 0)
    const match: Match = {
      file: pathOf(data.path),
      line: line.number,
      column: place + 1,
      text: cutLine(line.text, place),
      context: {
        before: before.map(({ text }) => cutLine(text)),
        after: [],
      },
    }
    this.matches.push(match)
    this.read.set(match, [...before, line])
    this.#open.push(match)
  }
}

/** A line as it is shown: of a long one the stretch around the match, with a mark at each cut. `at` counts from 0. */
function cutLine(line: string, at = 0): string {
  if (line.length <= MAX_LINE) return line
  const from = wholeSign(
    line,
    at <= MAX_LINE - LEAD ? 0 : Math.min(at - LEAD, line.length - MAX_LINE),
  )
  const to = wholeSign(line, Math.min(from + MAX_LINE, line.length))
  return `${from > 0 ? MARK : ''}${line.slice(from, to)}${to < line.length ? MARK : ''}`
}

/** A cut between the two halves of a character would leave a broken one on each side. */
function wholeSign(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? '') ? at + 1 : at
}

/** ripgrep's `--json` lines, as far as they are used. Text that is not UTF-8 comes as base64. */
type Text = { readonly text: string } | { readonly bytes: string }

interface RipgrepLine {
  readonly path: Text
  readonly lines: Text
  readonly line_number: number | null
  readonly absolute_offset: number
  readonly submatches: readonly { readonly start: number }[]
}

type RipgrepMessage =
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'end'; readonly data: { readonly path: Text } }
  | { readonly type: 'match' | 'context'; readonly data: RipgrepLine }
  | { readonly type: 'summary'; readonly data: { readonly stats: { readonly searches: number } } }

function textOf(text: Text): string {
  return 'text' in text ? text.text : bytesOf(text).toString('utf8')
}

function bytesOf(text: Text): Buffer {
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64')
}

function pathOf(path: Text): string {
  return textOf(path)
    .replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
    .replace(/^\.\//, '')
}

/** From ripgrep's byte offset to a place in the string, counted from 0 in UTF-16 units as editors do. */
function placeOf(line: Text, byteOffset: number): number {
  return bytesOf(line).subarray(0, byteOffset).toString('utf8').length
}

/** A line as ripgrep read it, at its place in the decoded text. */
interface ReadLine {
  /** From 1. */
  readonly number: number
  readonly at: number
  readonly bytes: Buffer
}

/**
 * ripgrep opens files by name, and a folder may be swapped for a link between its look and its
 * opening. So what it read is compared with the file that is really there: lines that are not in it,
 * and lines of a private key, are not shown.
 */
export function confirmLines(realRoot: string, path: string, lines: readonly ReadLine[]): boolean {
  if (isInBareRepository(realRoot, path)) return false
  const confirmed = withFileInside(realRoot, path, (file) => {
    const keys = keysInFile(file)
    if (keys.isKey) return false
    const read = decoded(file)
    return lines.every(
      ({ number, at, bytes }) => !keys.lines.has(number) && read(at, bytes.length).equals(bytes),
    )
  })
  return confirmed === true
}

/** Bytes as ripgrep counts them: without a byte order mark, and in UTF-8. */
function decoded({ stats, bytes }: FileInside): FileInside['bytes'] {
  const head = bytes(0, 3)
  if (head.equals(UTF8_MARK)) return (at, size) => bytes(at + UTF8_MARK.length, size)
  const encoding = utf16Of(head)
  if (encoding === undefined) return bytes
  const whole = Buffer.from(new TextDecoder(encoding).decode(bytes(0, stats.size)))
  return (at, size) => whole.subarray(at, at + size)
}

/**
 * Whether a pipe or a device stands where ripgrep expects a file of rules: it opens them all, and
 * would wait for a writer for ever.
 */
async function hasEndlessRules(root: string, signal: AbortSignal): Promise<boolean> {
  for (const folder of foldersAbove(root))
    if (await isAnyEndless([...RULES, EXCLUDE].map((name) => join(folder, name)))) return true
  const folders = [root]
  for (const folder of folders) {
    if (signal.aborted) return false
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const rules = entries.filter((entry) => RULES.includes(entry.name) && !entry.isFile())
    const nested = entries.some(({ name }) => name === '.git') ? [join(folder, EXCLUDE)] : []
    const suspects = [...rules.map(({ name }) => join(folder, name)), ...nested]
    if (await isAnyEndless(suspects)) return true
    for (const entry of entries)
      if (entry.isDirectory() && !isLeftOutFolder(entry.name))
        folders.push(join(folder, entry.name))
  }
  return false
}

/** Options for ripgrep where it cannot open every file of rules: those of the root count all the same. */
async function withoutRules(root: string): Promise<string[]> {
  const own = await lstat(join(root, '.gitignore')).catch(() => undefined)
  const isReadable = own?.isFile() && own.size <= MAX_RULE_BYTES
  return ['--no-ignore', ...(isReadable ? ['--ignore-file=.gitignore'] : [])]
}

function foldersAbove(root: string): string[] {
  const above = dirname(root)
  return above === root ? [] : [above, ...foldersAbove(above)]
}

async function isAnyEndless(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isFIFO() || found?.isCharacterDevice()) return true
  }
  return false
}
