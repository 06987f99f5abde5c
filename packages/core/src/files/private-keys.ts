import type { Stats } from 'node:fs'
import { hideSpans, type Span } from '../secrets/span.ts'

const BLOCK = 1024 * 1024
/** Nothing is shown of what lies behind this. */
const MAX_READ = 64 * 1024 * 1024
/** A larger file with a mark of a key in it is not shown at all, rather than read as a whole. */
const MAX_DECODED = 8 * 1024 * 1024
const MAX_REMEMBERED = 500

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g
const PUTTY_BEGIN = /PuTTY-User-Key-File-\d/g
const PUTTY_END = /Private-(?:MAC|Hash): ?[\da-f]{0,128}/g
/** What every key has; most texts do not, and are not looked at any further. */
export const KEY_MARKS = [
  'PRIVATE KEY',
  'PuTTY-User-Key-File',
  'AGE-SECRET-KEY',
  'LS0tLS1CRUdJTi',
  '"kty"',
] as const
const AGE_KEY = /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{16,}/g
/** `-----BEGIN ` in base64, as clusters and build servers keep keys. */
const ENCODED = /LS0tLS1CRUdJTi[\w+/]{10,}={0,2}/g
const JSON_KEY = /"(?:d|p|q|dp|dq|qi|k)"\s{0,10}:\s{0,10}"(?<secret>[\w+/=-]{8,})(?=")/g
/** A line that could be part of a key: indented, quoted or behind the signs of a diff, and base64 otherwise. */
const BODY_LINE = /^[ \t>+|"'-]{0,40}[A-Za-z0-9+/]{32,}={0,2}(?:\\n|["',+ \t\r;]){0,8}$/
/** The last line of a key is shorter, and its first ones are headers. */
const LAST_LINE = /^[A-Za-z0-9+/]{8,}={0,2}\s{0,4}$|^[A-Za-z-]{3,20}: \S/
const KIND = 'private-key'
const HIDDEN = `[redacted:${KIND}]`

/** A file that is nothing but a key, whatever its name. */
export function isPrivateKeyFile(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return [BEGIN, PUTTY_BEGIN].some((begin) => start.search(begin) === 0)
}

/** Keys within a text are hidden, line by line, so that every other line keeps its number. */
export function hidePrivateKeys(text: string): string {
  const spans = findPrivateKeys(text)
  if (spans.length === 0) return text
  return hideSpans(
    text,
    spans.flatMap((span) => perLine(text, span)),
  )
}

/**
 * The lines of a text that hold a part of a key, by their number from 1, each as it may be shown. The whole text decides:
 * a line is judged the same in whatever part of the file it is read.
 */
export function linesWithKeys(text: string): Map<number, string> {
  const lines = new Map<number, string>()
  const spans = findPrivateKeys(text)
  if (spans.length === 0) return lines
  const shown = hidePrivateKeys(text).split('\n')
  for (const [index, line] of text.split('\n').entries())
    if (shown[index] !== line) lines.set(index + 1, shown[index] ?? HIDDEN)
  return lines
}

export function findPrivateKeys(text: string): Span[] {
  const found: Span[] = []
  if (text.includes('PRIVATE KEY'))
    found.push(...findBlocks(text, BEGIN, END), ...findBodyLines(text))
  if (text.includes('PuTTY-User-Key-File')) found.push(...findBlocks(text, PUTTY_BEGIN, PUTTY_END))
  if (text.includes('AGE-SECRET-KEY')) found.push(...findAll(text, AGE_KEY))
  if (text.includes('LS0tLS1CRUdJTi'))
    found.push(
      ...findAll(text, ENCODED).filter(({ start }) => isEncodedKey(text.slice(start, start + 120))),
    )
  if (text.includes('"kty"')) found.push(...findAll(text, JSON_KEY))
  return found
}

/** From each beginning to the next end; one that never ends goes on over the lines that could be its body. */
function findBlocks(text: string, begin: RegExp, end: RegExp): Span[] {
  const found: Span[] = []
  let at = 0
  let isEnded = true
  for (const { index, 0: mark } of text.matchAll(begin)) {
    if (index < at) continue
    const from = index + mark.length
    end.lastIndex = from
    const last: RegExpExecArray | null = isEnded ? end.exec(text) : null
    // Where there was no end for one beginning, there is none for those after it.
    isEnded = last !== null
    at = last ? last.index + last[0].length : endOfBody(text, from)
    found.push({ start: index, end: at, kind: KIND })
  }
  return found
}

/** The rest of the line and the next one that is not empty, whatever they are; then as long as lines look like base64. */
function endOfBody(text: string, from: number): number {
  let end = endOfLine(text, from)
  for (let lines = 0; end < text.length; ) {
    const next = endOfLine(text, end + 1)
    const line = text.slice(end + 1, next)
    const isBlank = line.trim() === ''
    if (!isBlank && lines > 0 && !BODY_LINE.test(line) && !LAST_LINE.test(line)) break
    if (!isBlank) lines++
    end = next
  }
  return end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Lines of base64 behind the first beginning, except in what everybody may see: an end may be there to deceive. */
function findBodyLines(text: string): Span[] {
  const found: Span[] = []
  BEGIN.lastIndex = 0
  const first = BEGIN.exec(text)
  BEGIN.lastIndex = 0
  if (!first) return found
  let isOpen = false
  for (let start = endOfLine(text, first.index) + 1; start < text.length; ) {
    const end = endOfLine(text, start)
    const line = text.slice(start, Math.min(end, start + 400))
    if (/-----BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)/.test(line)) isOpen = true
    else if (/-----(?:END|BEGIN) /.test(line)) isOpen = false
    else if (!isOpen && BODY_LINE.test(line)) found.push({ start, end, kind: KIND })
    start = end + 1
  }
  return found
}

function findAll(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const secret = match.groups?.secret ?? match[0]
    const start = match.index + match[0].lastIndexOf(secret)
    return { start, end: start + secret.length, kind: KIND }
  })
}

function perLine(text: string, { start, end, kind }: Span): Span[] {
  const spans: Span[] = []
  for (let from = start; from <= end; ) {
    const to = Math.min(endOfLine(text, from), end)
    spans.push({ start: from, end: to, kind })
    from = to + 1
  }
  return spans
}

/** Certificates and public keys begin in the same way. */
function isEncodedKey(value: string): boolean {
  return Buffer.from(value, 'base64').toString('latin1').includes('PRIVATE KEY')
}

/** What may not be seen of a file. */
interface KeysInFile {
  /** The file is a key: nothing of it is shown. */
  readonly isKey: boolean
  /** Lines with a part of a key, by their number from 1, each as it may be shown. */
  readonly lines: ReadonlyMap<number, string>
}

interface ReadableFile {
  readonly stats: Stats
  bytes(at: number, size: number): Buffer
}

const NO_KEYS: KeysInFile = { isKey: false, lines: new Map() }

const ALL: KeysInFile = { isKey: true, lines: new Map() }

const remembered = new Map<string, KeysInFile>()

/**
 * The one decision about the keys in a file. It is made by the whole file and holds for every way to read it: as a whole,
 * in part, or line by line as a search finds them.
 */
export function keysInFile(file: ReadableFile): KeysInFile {
  const { dev, ino, size, mtimeMs, ctimeMs } = file.stats
  const state = `${dev}/${ino}/${size}/${mtimeMs}/${ctimeMs}`
  const known = remembered.get(state)
  if (known) return known
  const keys = decide(file)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(state, keys)
  return keys
}

function decide(file: ReadableFile): KeysInFile {
  const size = Math.min(file.stats.size, MAX_READ)
  const encoding = utf16Of(file.bytes(0, 2))
  if (encoding === undefined && !hasMark(file, size)) return NO_KEYS
  if (size > MAX_DECODED) return ALL
  const text = new TextDecoder(encoding ?? 'utf-8').decode(file.bytes(0, size))
  if (isPrivateKeyFile(text)) return ALL
  const lines = linesWithKeys(text)
  return lines.size === 0 ? NO_KEYS : { isKey: false, lines }
}

function hasMark({ bytes }: ReadableFile, size: number): boolean {
  const overlap = 64
  for (let at = 0; at < size; at += BLOCK) {
    const block = bytes(at, Math.min(BLOCK + overlap, size - at))
    if (KEY_MARKS.some((mark) => block.includes(mark))) return true
  }
  return false
}

export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}
