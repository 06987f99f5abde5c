import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ReadContext } from '../source.ts'

const QUOTE = 34
const COLON = 58
const BRACE = 123
const MAX_KEY = 200

const CHUNK = 1 << 18
export const MAX_LINE = 32 << 20
const NEWLINE = 10
const SEAM = 128
const SMALL = 1 << 16

export interface Line {
  readonly bytes: Buffer
  readonly at: number
  /** False for a last line without its end: it may be torn. */
  readonly whole: boolean
}

/**
 * The lines of a file from an offset on, a chunk's worth at a time; their bytes are good until the next is asked for.
 * A line over the bound is left out with a warning.
 */
export async function* linesOf(
  path: string,
  from: number,
  { signal, warn }: ReadContext,
  longest = MAX_LINE,
): AsyncGenerator<Line[]> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    let rest: Buffer[] = []
    let restSize = 0
    let at = from
    let position = from
    const dropLine = () => {
      warn(path, `a line of more than ${longest >> 20} MB at byte ${at} was left out`)
      rest = []
    }
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
      if (bytesRead === 0) break
      position += bytesRead
      const chunk = buffer.subarray(0, bytesRead)
      const lines: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const piece = chunk.subarray(start, end)
        const size = restSize + piece.length
        if (size > longest) {
          if (rest.length > 0) dropLine()
        } else if (size > 0)
          lines.push({
            bytes: rest.length > 0 ? Buffer.concat([...rest, piece]) : piece,
            at,
            whole: true,
          })
        rest = []
        restSize = 0
        start = end + 1
        at += size + 1
      }
      if (start < bytesRead) {
        restSize += bytesRead - start
        if (restSize <= longest) rest.push(Buffer.from(chunk.subarray(start)))
        else if (rest.length > 0) dropLine()
      }
      if (lines.length > 0) yield lines
    }
    if (rest.length > 0) yield [{ bytes: Buffer.concat(rest), at, whole: false }]
  } finally {
    await file.close()
  }
}

/** Bytes of a file; undefined where it no longer reaches that far. */
export async function bytesAt(path: string, at: number, size: number): Promise<Buffer | undefined> {
  if (size <= SMALL) return smallBytesAt(path, at, size)
  const file = await open(path, 'r')
  try {
    return await readFully(file, at, size)
  } finally {
    await file.close()
  }
}

/** One small read is quicker done than handed to a thread; a search makes thousands of them. */
function smallBytesAt(path: string, at: number, size: number): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(size)
    return readSync(file, buffer, 0, size, at) === size ? buffer : undefined
  } finally {
    closeSync(file)
  }
}

/** Fingerprint of a file's first bytes and of those before the offset. */
export async function seamAt(path: string, offset: number): Promise<string | undefined> {
  const file = await open(path, 'r')
  try {
    const size = Math.min(SEAM, offset)
    const head = await readFully(file, 0, size)
    const tail = await readFully(file, offset - size, size)
    return head && tail && createHash('sha1').update(head).update(tail).digest('base64')
  } finally {
    await file.close()
  }
}

async function readFully(file: FileHandle, at: number, size: number): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(size)
  const { bytesRead } = await file.read(buffer, 0, size, at)
  return bytesRead === size ? buffer : undefined
}

/**
 * Whether a line is JSON as the agents write it, without blanks around colons. Files that another program wrote again
 * have other spacing, and plain signs such as `"type":"tool_use"` are not in them.
 */
export function isCompact(line: Buffer): boolean {
  if (line[0] !== BRACE || line[1] !== QUOTE) return false
  const end = line.subarray(0, MAX_KEY).indexOf(QUOTE, 2)
  const next = line[end + 2]
  return end !== -1 && line[end + 1] === COLON && next !== undefined && next > 32
}

/** Whether a line has one of these words, however it is spaced. */
export function hasAny(line: Buffer | string, words: readonly string[]): boolean {
  return words.some((word) => line.includes(word))
}
