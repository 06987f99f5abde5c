import { fstatSync, readSync } from 'node:fs'
import type { OpenFile } from '@secretary-mcp/core/files/open-file.ts'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { hidePrivateKeys, isPrivateKeyFile } from '@secretary-mcp/core/files/private-keys.ts'

export const LARGEST_FILE = 1024 * 1024

interface TextFile extends DecodedText {
  readonly size: number
  readonly modifiedMs: number
}

/** The whole text, as one state of the file: a file that grows or shrinks under the reading is read once more. */
export function readText({ fd, stats, path }: OpenFile): TextFile {
  if (stats.size > LARGEST_FILE) throw tooLarge(path)
  let bytes = readAll(fd, stats.size)
  let after = fstatSync(fd)
  if (after.mtimeMs !== stats.mtimeMs || after.size !== bytes.length) {
    bytes = readAll(fd, after.size)
    after = fstatSync(fd)
  }
  if (bytes.length > LARGEST_FILE) throw tooLarge(path)
  const decoded = decodeText(bytes)
  if (!decoded) throw pathFailure('Not a text file', path)
  if (isPrivateKeyFile(decoded.text)) throw pathFailure('Permission denied', path)
  const text = hidePrivateKeys(decoded.text)
  return { ...decoded, text, size: bytes.length, modifiedMs: after.mtimeMs }
}

/** One byte more than allowed at most, so that a growing file is noticed and never swallowed. */
function readAll(fd: number, expected: number): Uint8Array {
  let buffer = Buffer.allocUnsafe(Math.min(expected, LARGEST_FILE) + 1)
  let filled = 0
  for (;;) {
    filled += readSync(fd, buffer, filled, buffer.length - filled, filled)
    // Less than was asked for is the end of a regular file.
    if (filled < buffer.length || filled > LARGEST_FILE) return buffer.subarray(0, filled)
    buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, LARGEST_FILE + 1))
  }
}

export function tooLarge(path: string): Error {
  return pathFailure(
    'File too large',
    path,
    'At most 1 MB at once; read a part with startLine and endLine',
  )
}

export function countLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (
    let at = text.indexOf('\n');
    at >= 0 && at < text.length - 1;
    at = text.indexOf('\n', at + 1)
  )
    lines++
  return lines
}

interface DecodedText {
  readonly text: string
  /** Absent for UTF-8. */
  readonly encoding?: 'utf-16le' | 'utf-16be' | 'windows-1252'
}

const SNIFFED_BYTES = 8192

/** Undefined where the bytes are no text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
