import { spawn } from 'node:child_process'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import {
  MAX_SEGMENT_BYTES,
  segmentAt,
  segmentPath,
  type Transport,
  unreadableSegment,
} from '../segment.ts'
import { unreachable } from '../sync-failures.ts'
import { readSegment, segmentsIn, writeSegment } from './folder-transport.ts'

const BRANCH = 'secretary-sync'
const THEIRS = `refs/remotes/origin/${BRANCH}`
/** A git that was killed leaves its locks behind; nobody else works in the folder. */
const LOCKED = ['index', 'HEAD', 'config', 'packed-refs', `refs/heads/${BRANCH}`, THEIRS]
/** Each time somebody else was faster. */
const MAX_PUSHES = 8

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
        if (tries >= MAX_PUSHES) throw unreachable(redact(url), pushed.said)
        await fetch()
      }
    },
  }
}

const MAX_MS = 120_000
const MAX_BYTES = 1 << 30
const MAX_SAID = 4_000

/** Runs no program that a repository names, and asks nobody for a password: the person may not be there. */
const HARMLESS = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.autocrlf=false'],
  ...['-c', 'core.askPass='],
  ...['-c', 'commit.gpgSign=false'],
  ...['-c', 'push.gpgSign=false'],
  ...['-c', 'gc.auto=0'],
  ...['-c', 'user.name=Secretary'],
  ...['-c', 'user.email=secretary@localhost'],
]
const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
}
/** Would point git to another repository than ours. */
const ELSEWHERE = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_COMMON_DIR: undefined,
}

interface RemoteGitAnswer {
  readonly bytes: Buffer
  readonly isFailed: boolean
  /** What git said about it, on one line and without secrets. */
  readonly said: string
}

/** Unlike `runGit` in core it may use the network: only for the remote that the person named. */
function runRemoteGit(folder: string, args: readonly string[]): Promise<RemoteGitAnswer> {
  const given = environment()
  const child = spawn('git', ['-C', folder, '--no-pager', ...HARMLESS, ...args], {
    cwd: dirname(process.execPath),
    env: {
      ...{ GIT_SSH_COMMAND: 'ssh -oBatchMode=yes', ...given },
      ...QUIET,
      ...ELSEWHERE,
      LC_ALL: 'C',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  })
  const parts: Buffer[] = []
  let bytes = 0
  let said = ''
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MAX_BYTES) child.kill('SIGKILL')
    else parts.push(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < MAX_SAID) said += part.toString('utf8')
  })
  return new Promise((done) => {
    const end = (code: unknown) =>
      done({ bytes: Buffer.concat(parts), isFailed: code !== 0, said: lastLine(said) })
    child.once('error', end)
    child.once('close', end)
  })
}

function lastLine(said: string): string {
  const lines = said.split('\n').map((line) => line.trim())
  const telling = lines.filter((line) => /^(?:fatal|error|remote|ssh):|!/.test(line))
  return redact(telling[0] ?? lines.filter(Boolean).at(-1) ?? 'git could not be run')
}
