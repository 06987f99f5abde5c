import type { ChangedLines, LinePrint } from './deed.ts'
import { wordsIn } from './words-in.ts'

const LETTER = /[\p{L}\p{N}]/gu
const PRINT_BYTES = 6
/** Lines with fewer letters and digits say nothing about where they come from: braces, `else`, separators. */
const FEWEST_LETTERS = 3
/** Lines with this many are found again in any file. */
const TELLING_LETTERS = 12

/** Of a larger change the beginning is kept; the counts are of all. */
const MAX_LINES = 4000
const MAX_WORDS = 60
/** Enough for that many words. */
const LINES_FOR_WORDS = 150

/** What a text gained and lost on its way to another: a line that both have neither came nor went. */
export function changedLines(before: string, after: string): ChangedLines {
  const old = linesOf(before)
  const fresh = linesOf(after)
  return linesThat(without(fresh, old), without(old, fresh))
}

interface LineTexts {
  readonly came: readonly string[]
  readonly gone: readonly string[]
}

/** Beside the changes and not in them: what is stored of a change never has its lines. */
const texts = new WeakMap<ChangedLines, LineTexts>()
let keepers = 0

/** Of changes that are read by the work, `textsOf` knows the lines. */
export async function keepingTexts<T>(work: () => T | Promise<T>): Promise<T> {
  keepers++
  try {
    return await work()
  } finally {
    keepers--
  }
}

export function textsOf(lines: ChangedLines): LineTexts | undefined {
  return texts.get(lines)
}

function withTexts(lines: ChangedLines, made: () => LineTexts): ChangedLines {
  if (keepers > 0) texts.set(lines, made())
  return lines
}

export function linesThat(came: readonly string[], gone: readonly string[]): ChangedLines {
  const lines = {
    plus: came.length,
    minus: gone.length,
    came: printsOf(came.slice(0, MAX_LINES)),
    gone: printsOf(gone.slice(0, MAX_LINES)),
    words: wordsIn(came.slice(0, LINES_FOR_WORDS).join('\n'), MAX_WORDS),
  }
  return withTexts(lines, () => ({ came, gone }))
}

/** Lines marked `+` and `-`, as in a diff; a line that only moved within them counts as neither. */
export function patchedLines(marked: readonly string[]): ChangedLines {
  const came: string[] = []
  const gone: string[] = []
  for (const line of marked) {
    if (line.startsWith('+')) came.push(line.slice(1))
    else if (line.startsWith('-')) gone.push(line.slice(1))
  }
  return linesThat(came, gone)
}

export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0
    if (count > 0) counts.set(line, count - 1)
    return count === 0
  })
}

export function joinChanges(parts: readonly ChangedLines[]): ChangedLines {
  const of = (side: 'came' | 'gone') => parts.flatMap((part) => texts.get(part)?.[side] ?? [])
  const lines = {
    plus: parts.reduce((sum, { plus }) => sum + plus, 0),
    minus: parts.reduce((sum, { minus }) => sum + minus, 0),
    came: parts.flatMap(({ came }) => came).slice(0, MAX_LINES),
    gone: parts.flatMap(({ gone }) => gone).slice(0, MAX_LINES),
    words: [...new Set(parts.flatMap(({ words = [] }) => words))].slice(0, MAX_WORDS),
  }
  return withTexts(lines, () => ({ came: of('came'), gone: of('gone') }))
}

export function isTrivial(line: string): boolean {
  return !hasLetters(line, FEWEST_LETTERS)
}

/** Whether a line says enough to be recognised in another file. */
export function isTelling(line: string): boolean {
  return hasLetters(line, TELLING_LETTERS)
}

/** Every line of every edit is asked: plain letters are counted without a pattern, and only as far as needed. */
function hasLetters(line: string, wanted: number): boolean {
  let letters = 0
  for (let at = 0; at < line.length && letters < wanted; at++) {
    const code = line.charCodeAt(at)
    if (code > 127) return (line.match(LETTER)?.length ?? 0) >= wanted
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122
    if (isLetter || (code >= 48 && code <= 57)) letters++
  }
  return letters >= wanted
}

export function printOf(line: string): LinePrint {
  const text = line.trim().replace(/\s+/g, ' ')
  return { print: hash40(text), indent: indentOf(line) }
}

/** Columns; a tab is two of them, as agents show it. */
function indentOf(line: string): number {
  let columns = 0
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign !== ' ' && sign !== '\t') break
    columns += sign === '\t' ? 2 : 1
  }
  return Math.min(columns, 255)
}

/** The prints of the lines that say something. */
export function printsOf(lines: readonly string[]): LinePrint[] {
  return lines.filter((line) => !isTrivial(line)).map(printOf)
}

/** Six bytes a line. */
export function packPrints(prints: readonly LinePrint[]): Uint8Array {
  const bytes = Buffer.alloc(prints.length * PRINT_BYTES)
  for (const [place, { print, indent }] of prints.entries()) {
    bytes.writeUIntBE(print, place * PRINT_BYTES, PRINT_BYTES - 1)
    bytes[place * PRINT_BYTES + PRINT_BYTES - 1] = indent
  }
  return bytes
}

export function unpackPrints(packed: Uint8Array | null): LinePrint[] {
  if (!packed) return []
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  return Array.from({ length: Math.floor(bytes.length / PRINT_BYTES) }, (_, place) => ({
    print: bytes.readUIntBE(place * PRINT_BYTES, PRINT_BYTES - 1),
    indent: bytes[place * PRINT_BYTES + PRINT_BYTES - 1] ?? 0,
  }))
}

/** Two multiplicative hashes side by side: good enough to tell lines apart, and quick. */
function hash40(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return ((high >>> 24) & 0xff) * 0x1_0000_0000 + (low >>> 0)
}
