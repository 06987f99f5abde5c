import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { redact } from '@secretary-mcp/core/redact.ts'
import { MAX_SEGMENT_BYTES, segmentAt, segmentPath, unreadableSegment } from '../segment.ts'
import { unreachable } from '../sync-failures.ts'
import type { Transport } from '../transport.ts'
import { readSegment, segmentsIn, writeSegment } from './folder-transport.ts'
import { runRemoteGit } from './run-remote-git.ts'

const BRANCH = 'secretary-sync'
const THEIRS = `refs/remotes/origin/${BRANCH}`
/** A git that was killed leaves its locks behind; nobody else works in the folder. */
const LOCKED = ['index', 'HEAD', 'config', 'packed-refs', `refs/heads/${BRANCH}`, THEIRS]
/** Each time somebody else was faster. */
const MOST_PUSHES = 8

interface Parts {
  /** In our home: it holds this machine's own segments, and git's copy of the others'. */
  readonly folder: string
  readonly url: string
  readonly machine: string
}

/**
 * A branch of a git remote. Every commit puts this machine's files on top of what is there, so there is nothing to merge: no two
 * machines write the same file.
 */
export function gitTransport({ folder, url, machine }: Parts): Transport {
  const git = async (...args: string[]) => {
    const answer = await runRemoteGit(folder, args)
    if (answer.isFailed) throw unreachable(redact(url), answer.said)
    return answer.bytes
  }
  const commitAt = async (name: string) => {
    const { bytes, isFailed } = await runRemoteGit(folder, [
      ...['rev-parse', '--verify', '--quiet', name],
    ])
    return isFailed ? undefined : bytes.toString('utf8').trim()
  }
  const isTheirsThere = async () => (await commitAt(THEIRS)) !== undefined

  /** A pattern, so that a branch which does not exist yet is no error. */
  const fetch = () =>
    git(
      ...['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'],
      ...['origin', `+refs/heads/${BRANCH}*:${THEIRS}*`],
    )

  /** The branch is what the remote has, and the files of this machine as they are in the folder. Says whether that is more. */
  const commit = async () => {
    if (await isTheirsThere()) await git('reset', '--quiet', '--mixed', THEIRS)
    await git('add', '--all', '--force', '--', machine)
    const { isFailed: isChanged } = await runRemoteGit(folder, ['diff', '--cached', '--quiet'])
    if (isChanged) await git('commit', '--quiet', '--no-verify', '--message', 'sync')
    return (await commitAt('HEAD')) !== (await commitAt(THEIRS))
  }

  return {
    async begin() {
      await mkdir(join(folder, machine), { recursive: true, mode: 0o700 })
      if (!(await stat(join(folder, '.git')).catch(() => undefined)))
        await git('init', '--quiet', `--initial-branch=${BRANCH}`, '--template=')
      for (const path of LOCKED) await rm(join(folder, '.git', `${path}.lock`), { force: true })
      await git('config', 'remote.origin.url', url)
      await fetch()
    },

    async list() {
      const own = (await segmentsIn(folder)).filter((name) => name.machine === machine)
      if (!(await isTheirsThere())) return own
      const paths = await git('ls-tree', '-r', '-z', '--name-only', THEIRS)
      const theirs = paths.toString('utf8').split('\0').map(segmentAt)
      return [
        ...own,
        ...theirs.filter((name) => name !== undefined && name.machine !== machine),
      ].filter((name) => name !== undefined)
    },

    async read(name) {
      if (name.machine === machine) return readSegment(folder, name)
      const blob = `${THEIRS}:${segmentPath(name)}`
      const size = await runRemoteGit(folder, ['cat-file', '-s', blob])
      if (Number(size.bytes.toString('utf8')) > MAX_SEGMENT_BYTES)
        throw unreadableSegment(name, 'it is too large')
      const { bytes, isFailed, said } = await runRemoteGit(folder, ['cat-file', 'blob', blob])
      if (isFailed) throw unreadableSegment(name, said)
      return bytes
    },

    write: (name, bytes) => writeSegment(folder, name, bytes),

    async remove(names) {
      for (const name of names) await rm(join(folder, segmentPath(name)), { force: true })
    },

    async finish() {
      for (let tries = 1; await commit(); tries++) {
        const pushed = await runRemoteGit(folder, [
          ...['push', '--quiet', '--no-verify', 'origin', `HEAD:refs/heads/${BRANCH}`],
        ])
        if (!pushed.isFailed) return
        if (tries >= MOST_PUSHES) throw unreachable(redact(url), pushed.said)
        await fetch()
      }
    },
  }
}
