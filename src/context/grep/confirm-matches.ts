import { isInBareRepository } from '../../core/files/bare-repository.ts'
import { isWithinPrivateKey } from '../../core/files/private-keys.ts'
import { type FileInside, withFileInside } from '../../core/files/read-inside.ts'

/** A line as ripgrep read it, at its place in the decoded text. */
export interface ReadLine {
  readonly at: number
  readonly bytes: Buffer
}

/** As far back as a key can have begun. */
const KEY_REACH = 20_000
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * ripgrep opens files by name, and a folder may be swapped for a link between its look and its
 * opening. So what it read is compared with the file that is really there: lines that are not in it,
 * and lines of a private key, are not shown.
 */
export function confirmLines(realRoot: string, path: string, lines: readonly ReadLine[]): boolean {
  if (isInBareRepository(realRoot, path)) return false
  const confirmed = withFileInside(realRoot, path, (file) => {
    const read = decoded(file)
    return lines.every(({ at, bytes }) => {
      if (!read(at, bytes.length).equals(bytes)) return false
      const before = read(Math.max(0, at - KEY_REACH), Math.min(at, KEY_REACH))
      return !isWithinPrivateKey(before.toString('latin1'), bytes.toString('latin1'))
    })
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

function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}
