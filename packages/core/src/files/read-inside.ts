import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isNeverShown } from './excluded-paths.ts'

// Windows has none: there the flag is undefined and counts as 0.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A regular file below a root, open; its content cannot be swapped for another any more. */
export interface FileInside {
  readonly stats: Stats
  /** Bytes from a place on, as many as there are. */
  bytes(at: number, size: number): Buffer
}

// Windows has neither: there the flags are undefined and count as 0.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const NO_LINK = constants.O_NOFOLLOW ?? 0

/**
 * Runs with a file open that is really where its path says. Undefined for what is gone, is no regular
 * file, may not be shown, or leads out of the root, also where a folder on the way was swapped for a
 * link a moment ago. With `links`, a link is followed as long as it stays inside.
 */
export function withFileInside<T>(
  realRoot: string,
  path: string,
  work: (file: FileInside) => T,
  { links = false } = {},
): T | undefined {
  const place = join(realRoot, path)
  let descriptor: number | undefined
  try {
    // Before opening, since opening alone can do something to a device or wait on a pipe.
    if (!(links ? statSync(place) : lstatSync(place)).isFile()) return undefined
    descriptor = openSync(place, FLAGS | (links ? 0 : NO_LINK))
    const opened = descriptor
    const stats = fstatSync(opened)
    if (!stats.isFile()) return undefined
    const below = relative(realRoot, realPlace(opened, stats, place))
    if (isOutside(below) || isNeverShown(below) || (!links && below !== join(path)))
      return undefined
    return work({ stats, bytes: (at, size) => readBytes(opened, at, size) })
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The whole of a file that is no larger than given. */
export function readInside(
  realRoot: string,
  path: string,
  most: number,
  options: { readonly links?: boolean } = {},
): Buffer | undefined {
  const read = ({ stats, bytes }: FileInside) => {
    if (stats.size > most) return undefined
    // One byte more than it had, so that a file that grows meanwhile is noticed.
    const content = bytes(0, Math.min(stats.size, most) + 1)
    return content.length > most ? undefined : content
  }
  return withFileInside(realRoot, path, read, options)
}

export function isOutside(below: string): boolean {
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)
}

/** Where the open file really is. Without /proc it is looked up by name and compared with what was opened. */
function realPlace(descriptor: number, opened: Stats, place: string): string {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${descriptor}`)
  const real = realpathSync(place)
  const { ino, dev } = statSync(real)
  return ino === opened.ino && dev === opened.dev ? real : sep
}

function readBytes(descriptor: number, at: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  for (let read = 1; read > 0 && filled < size; filled += read)
    read = readSync(descriptor, buffer, filled, size - filled, at + filled)
  return buffer.subarray(0, filled)
}

/**
 * A small file at a place where others may have put anything. Undefined for a pipe or a device, which would be waited for
 * or never end, and for what is larger than given; what is not there or may not be read throws as ever.
 */
export function readRegular(path: string, most: number): string | undefined {
  const file = openSync(path, READ_FLAGS)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > most) return undefined
    // One byte more than it had, so that a file that grows meanwhile is noticed.
    const buffer = Buffer.allocUnsafe(stats.size + 1)
    let filled = 0
    for (let read = 1; read > 0 && filled < buffer.length; filled += read)
      read = readSync(file, buffer, filled, buffer.length - filled, filled)
    return filled > most ? undefined : buffer.toString('utf8', 0, filled)
  } finally {
    closeSync(file)
  }
}
