import { readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { OpenFile } from '../../core/files/open-file.ts'
import { pathFailure } from '../../core/files/path-failure.ts'
import { hidePrivateKeys } from '../../core/files/private-keys.ts'
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

/** As far back as a key can have begun. */
const KEY_REACH = 20_000
const BLOCK = 256 * 1024
/** Beyond this the lines are not counted to the end. */
const FARTHEST = 64 * 1024 * 1024

/** Some lines of a file of any size: only these are kept in memory. */
export async function readPart(
  { fd, path }: OpenFile,
  range: LineRange,
  signal?: AbortSignal,
): Promise<FilePart> {
  const { startLine = 1, endLine = Number.MAX_SAFE_INTEGER } = range
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let position = 0
  let lastByte = 10
  let partAt = 0
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
        if (keptBytes === 0) partAt = position + from
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
    const before = bytesBefore(fd, partAt)
    const text = withoutKeys(before, decoded.text)
    return { ...decoded, text, startLine, endLine: Math.min(endLine, lines ?? endLine), lines }
  }
}

function bytesBefore(fd: number, at: number): Buffer {
  const buffer = Buffer.alloc(Math.min(at, KEY_REACH))
  readSync(fd, buffer, 0, buffer.length, at - buffer.length)
  return buffer
}

/** A key may have begun before the part that is wanted. */
function withoutKeys(before: Buffer, text: string): string {
  const lines = text.split('\n').length
  return hidePrivateKeys(before.toString('utf8') + text)
    .split('\n')
    .slice(-lines)
    .join('\n')
}
