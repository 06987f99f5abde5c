import { keysInFile, utf16Of } from '@secretary-mcp/core/files/keys-in-file.ts'
import { type FileInside, withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { isInBareRepository } from '@secretary-mcp/core/files/repository.ts'

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const LONGEST_LINE = 300
const MARK = '…'
const LEAD = 80

export interface Match {
  readonly file: string
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  readonly text: string
  readonly context: { readonly before: string[]; readonly after: string[] }
}

export const CONTEXT_LINES = 2

interface SeenLine extends ReadLine {
  readonly text: string
}

/** Puts matches and the lines around them together as the messages arrive, and knows when there is enough. */
export class MatchCollector {
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
  if (line.length <= LONGEST_LINE) return line
  const from = wholeSign(
    line,
    at <= LONGEST_LINE - LEAD ? 0 : Math.min(at - LEAD, line.length - LONGEST_LINE),
  )
  const to = wholeSign(line, Math.min(from + LONGEST_LINE, line.length))
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

export type RipgrepMessage =
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
