import type { LinePrint } from './deed.ts'

const LETTER = /[\p{L}\p{N}]/gu
const PRINT_BYTES = 6

/** Lines with fewer letters and digits say nothing about where they come from: braces, `else`, separators. */
const FEWEST_LETTERS = 3
/** Lines with this many are found again in any file. */
const TELLING_LETTERS = 12

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
