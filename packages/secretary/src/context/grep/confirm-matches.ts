import { isInBareRepository } from '@secretary-mcp/core/files/bare-repository.ts'
import { keysInFile, utf16Of } from '@secretary-mcp/core/files/keys-in-file.ts'
import { type FileInside, withFileInside } from '@secretary-mcp/core/files/read-inside.ts'

/** A line as ripgrep read it, at its place in the decoded text. */
export interface ReadLine {
  /** From 1. */
  readonly number: number
  readonly at: number
  readonly bytes: Buffer
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

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
