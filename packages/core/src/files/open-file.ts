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
import { isNeverShown } from './excluded-paths.ts'
import { pathFailure, translateFileError } from './path-failure.ts'
import { isInBareRepository } from './repository.ts'

const MAX_DECODINGS = 4
/** No system has longer paths; what cannot be there is not read any further. */
const MAX_PATH = 4_096

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

/**
 * Refuses what must not be read by its name alone, before the disk is touched: so that the answer tells nothing about it.
 * Every spelling counts under which some system would understand the name: percent-encoded, with backslashes, in full-width signs.
 */
export function requireAllowedPath(path: string): void {
  if (path.length > MAX_PATH) throw pathFailure('File not found', path)
  const spellings = spellingsOf(path)
  if (spellings.some(looksAbsolute)) throw pathFailure('Absolute paths not allowed', path)
  if (spellings.some((spelling) => segmentsOf(spelling).some((segment) => segment.trim() === '..')))
    throw pathFailure('Path traversal not allowed', path)
  if (spellings.some(isNeverShown)) throw pathFailure('Permission denied', path)
  if (path.includes('\0')) throw pathFailure('File not found', path)
}

function looksAbsolute(path: string): boolean {
  return /^\s*([/\\]|[a-z]:|file:)/i.test(path)
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/)
}

function spellingsOf(path: string): string[] {
  const spellings = new Set([path, path.normalize('NFKC')])
  let current = path
  for (let round = 0; round < MAX_DECODINGS; round++) {
    const next = decoded(current)
    if (next === current) break
    spellings.add(next).add(next.normalize('NFKC'))
    current = next
  }
  return [...spellings]
}

/** Byte by byte, with the overlong forms that lenient decoders take for a dot or a slash. */
function decoded(path: string): string {
  return path
    .replace(/%c0%ae|%e0%80%ae|%u002e/gi, '.')
    .replace(/%c0%af|%e0%80%af|%u002f|%c1%9c|%u005c/gi, '/')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
