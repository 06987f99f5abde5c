import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

// Windows has none: there the flag is undefined and counts as 0.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * A small file at a place where others may have put anything. Undefined for a pipe or a device, which would be waited for
 * or never end, and for what is larger than given; what is not there or may not be read throws as ever.
 */
export function readRegular(path: string, most: number): string | undefined {
  const file = openSync(path, FLAGS)
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
