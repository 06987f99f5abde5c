import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { redact } from '@secretary-mcp/core/redact.ts'

const LONGEST_MS = 120_000
const MOST_BYTES = 1 << 30
const MOST_SAID = 4_000

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

export interface RemoteGitAnswer {
  readonly bytes: Buffer
  readonly isFailed: boolean
  /** What git said about it, on one line and without secrets. */
  readonly said: string
}

/** Unlike `runGit` in core it may use the network: only for the remote that the person named. */
export function runRemoteGit(folder: string, args: readonly string[]): Promise<RemoteGitAnswer> {
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
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const parts: Buffer[] = []
  let bytes = 0
  let said = ''
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MOST_BYTES) child.kill('SIGKILL')
    else parts.push(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < MOST_SAID) said += part.toString('utf8')
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
