import { decodeText } from './decode-text.ts'
import type { OpenFile } from './open-file.ts'
import { pathFailure } from './path-failure.ts'
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
  { handle, path }: OpenFile,
  range: LineRange,
  signal?: AbortSignal,
): Promise<FilePart> {
  const { startLine = 1, endLine = Number.MAX_SAFE_INTEGER } = range
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let position = 0
  let lastByte = 10
  const block = Buffer.allocUnsafe(BLOCK)
  while (position < FARTHEST) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(block, 0, BLOCK, position)
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
    return { ...decoded, startLine, endLine: Math.min(endLine, lines ?? endLine), lines }
  }
}
