import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { requireAllowedPath } from './allowed-path.ts'
import { isInBareRepository } from './bare-repository.ts'
import { isNeverShown } from './excluded-paths.ts'
import { pathFailure, translateFileError } from './path-failure.ts'

export interface OpenFile {
  readonly handle: FileHandle
  readonly stats: Stats
  /** From the project's root, with forward slashes, links resolved. */
  readonly path: string
}

// Windows has neither: there the flags are undefined and count as 0.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const TRIES = 3

/** Runs with a regular file of the project open, and closes it. Nothing is read of a file that may not be seen. */
export async function withProjectFile<T>(
  root: string,
  path: string,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  requireAllowedPath(path)
  let file: OpenFile | undefined
  try {
    const realRoot = await realpath(root)
    for (let tries = 0; tries < TRIES && !file; tries++) file = await openChecked(realRoot, path)
    if (!file)
      throw pathFailure('File not found', path, 'It kept moving while it was opened; try again')
    return await work(file)
  } catch (error) {
    throw translateFileError(error, path)
  } finally {
    await file?.handle.close()
  }
}

/** Undefined where another file was in its place by the time it was open, as when an editor saves. */
async function openChecked(realRoot: string, path: string): Promise<OpenFile | undefined> {
  const target = await realpath(join(realRoot, path))
  const seen = requireInside(realRoot, target, path)
  // Before opening, since opening alone can do something to a device or wait on a pipe.
  requireRegular(await stat(target), path)
  const handle = await open(target, FLAGS)
  const stats = await handle.stat()
  if (stats.isFile() && (await isStillThere(handle, stats, target)))
    return { handle, stats, path: seen }
  await handle.close()
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
async function isStillThere(handle: FileHandle, opened: Stats, target: string): Promise<boolean> {
  const actual =
    process.platform === 'linux'
      ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
      : undefined
  if (actual !== undefined) return actual === target
  if ((await realpath(target)) !== target) return false
  const { ino, dev } = await stat(target)
  return ino === opened.ino && dev === opened.dev
}
