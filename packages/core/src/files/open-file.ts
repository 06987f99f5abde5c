import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { requireAllowedPath } from './allowed-path.ts'
import { isNeverShown } from './excluded-paths.ts'
import { pathFailure, translateFileError } from './path-failure.ts'
import { isInBareRepository } from './repository.ts'

export interface OpenFile {
  readonly fd: number
  readonly stats: Stats
  /** From the project's root, with forward slashes, links resolved. */
  readonly path: string
}

// Windows has neither: there the flags are undefined and count as 0.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const TRIES = 3
// A file of a checkout is opened in microseconds; asking another thread to do it takes ten times as long.
const realpath = realpathSync.native

/** Runs with a regular file of the project open, and closes it. Nothing is read of a file that may not be seen. */
export async function withProjectFile<T>(
  root: string,
  path: string,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  requireAllowedPath(path)
  let file: OpenFile | undefined
  try {
    const realRoot = realpath(root)
    for (let tries = 0; tries < TRIES && !file; tries++) file = openChecked(realRoot, path)
    if (!file)
      throw pathFailure('File not found', path, 'It changed while it was being opened; try again')
    return await work(file)
  } catch (error) {
    throw translateFileError(error, path)
  } finally {
    if (file) closeSync(file.fd)
  }
}

/** Undefined where another file was in its place by the time it was open, as when an editor saves. */
function openChecked(realRoot: string, path: string): OpenFile | undefined {
  const target = realpath(join(realRoot, path))
  const seen = requireInside(realRoot, target, path)
  // Before opening, since opening alone can do something to a device or wait on a pipe.
  requireRegular(statSync(target), path)
  const fd = openSync(target, FLAGS)
  const stats = fstatSync(fd)
  if (stats.isFile() && isStillThere(fd, stats, target)) return { fd, stats, path: seen }
  closeSync(fd)
  return undefined
}

/** The path below the root as it really is; a link must lead neither out nor to a denied place. */
function requireInside(realRoot: string, target: string, given: string): string {
  const below = relative(realRoot, target)
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw pathFailure('Path traversal not allowed', given)
  if (isNeverShown(below) || isInBareRepository(realRoot, below))
    throw pathFailure('Permission denied', given)
  return below.split(sep).join('/')
}

function requireRegular(stats: Stats, given: string): void {
  if (stats.isDirectory())
    throw pathFailure('File not found', given, 'It is a folder; name a file in it')
  if (!stats.isFile()) throw pathFailure('Permission denied', given, 'Only regular files are read')
}

/** A folder on the way may have become a link between the check and the opening: what was opened is looked at again. */
function isStillThere(fd: number, opened: Stats, target: string): boolean {
  const actual = process.platform === 'linux' ? linkOf(fd) : undefined
  if (actual !== undefined) return actual === target
  if (realpath(target) !== target) return false
  const { ino, dev } = statSync(target)
  return ino === opened.ino && dev === opened.dev
}

/** Where the system says that the open file is; undefined where it does not say. */
function linkOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}
