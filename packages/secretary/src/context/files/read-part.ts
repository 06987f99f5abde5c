import { readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { keysInFile } from '@secretary-mcp/core/files/keys-in-file.ts'
import type { OpenFile } from '@secretary-mcp/core/files/open-file.ts'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { decodeText } from './decode-text.ts'
import { LARGEST_FILE, tooLarge } from './read-text.ts'

export interface LineRange {
  readonly startLine?: number
  readonly endLine?: number
}

export interface FilePart {
  readonly text: string
  readonly encoding?: string
  readonly startLine: number
  readonly endLine: number
  /** Of the whole file; absent where it was too long to be counted. */
  readonly lines?: number
}

const BLOCK = 256 * 1024
/** Beyond this the lines are not counted to the end. */
const FARTHEST = 64 * 1024 * 1024

/** Some lines of a file of any size: only these are kept in memory. */
export async function readPart(
  { fd, path, stats }: OpenFile,
  range: LineRange,
  signal?: AbortSignal,
): Promise<FilePart> {
  const { startLine = 1, endLine = Number.MAX_SAFE_INTEGER } = range
  const keys = keysInFile({ stats, bytes: (at, size) => readBytes(fd, at, size) })
  if (keys.isKey) throw pathFailure('Permission denied', path)
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let position = 0
  let lastByte = 10
  const block = Buffer.allocUnsafe(BLOCK)
  while (position < FARTHEST) {
    signal?.throwIfAborted()
    const bytesRead = readSync(fd, block, 0, BLOCK, position)
    if (bytesRead === 0) return finish(line - (lastByte === 10 ? 1 : 0))
    let from = 0
    while (from < bytesRead) {
      const newline = block.indexOf(10, from)
      const to = newline >= 0 && newline < bytesRead ? newline + 1 : bytesRead
      if (line >= startLine && line <= endLine) {
        kept.push(Buffer.from(block.subarray(from, to)))
        keptBytes += to - from
        if (keptBytes > LARGEST_FILE) throw tooLarge(path)
      }
      if (newline >= 0 && newline < bytesRead) line++
      from = to
    }
    lastByte = block[bytesRead - 1] ?? 10
    position += bytesRead
    // A long file lets others have their turn.
    await setImmediate()
  }
  if (line <= endLine) throw tooLarge(path)
  return finish(undefined)

  function finish(lines: number | undefined): FilePart {
    if (lines !== undefined && startLine > Math.max(lines, 1))
      throw pathFailure(
        'Line out of range',
        path,
        `The file has ${lines} ${lines === 1 ? 'line' : 'lines'}`,
      )
    const decoded = decodeText(Buffer.concat(kept))
    if (!decoded) throw pathFailure('Not a text file', path)
    const text = withoutKeys(decoded.text, startLine, keys.lines)
    return { ...decoded, text, startLine, endLine: Math.min(endLine, lines ?? endLine), lines }
  }
}

function withoutKeys(text: string, startLine: number, hidden: ReadonlyMap<number, string>): string {
  if (hidden.size === 0) return text
  return text
    .split('\n')
    .map((line, index) => hidden.get(startLine + index) ?? line)
    .join('\n')
}

function readBytes(fd: number, at: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
  return buffer.subarray(0, readSync(fd, buffer, 0, size, at))
}
