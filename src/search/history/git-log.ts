import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { environment } from '../../core/config/environment.ts'

export interface Commit {
  readonly subject: string
  /** Relative to the project. */
  readonly paths: readonly string[]
}

const MOST_COMMITS = 3_000
const LONGEST_MS = 3_000
const MOST_BYTES = 16 << 20
const COMMIT = '\u0001'

/** The commit that is checked out; undefined where there is no repository. */
export async function headOf(root: string, signal?: AbortSignal): Promise<string | undefined> {
  const { text } = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], signal)
  return /^[\da-f]{40,64}$/.exec(text.trim())?.[0]
}

/** The latest commits, newest first: as many as git tells within a few seconds. */
export async function gitLog(root: string, signal?: AbortSignal): Promise<Commit[]> {
  const wanted = ['--no-merges', '--no-renames', '--no-show-signature', '--name-only', '--relative']
  const { text, isCut } = await git(
    root,
    ['log', '-n', String(MOST_COMMITS), ...wanted, '--format=%x01%s', 'HEAD', '--', '.'],
    signal,
  )
  const [, ...commits] = text.split(COMMIT)
  return commits.slice(0, isCut ? -1 : undefined).map((commit) => {
    const [subject = '', ...paths] = commit.split('\n')
    return { subject, paths: paths.filter((path) => path !== '') }
  })
}

/**
 * A project's own git configuration may name programs: for signatures, for what a partial clone lacks, for
 * watching files. None of them is run.
 */
const HARMLESS = [
  ...['-c', 'core.quotepath=off'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'log.showSignature=false'],
  ...['-c', 'safe.bareRepository=explicit'],
]
const NO_FETCH = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }

function git(
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  if (signal?.aborted) return Promise.resolve({ text: '', isCut: true })
  const child = spawn('git', ['-C', root, ...HARMLESS, ...args], {
    // Windows looks for programs in the current folder first: that must not be the project.
    cwd: dirname(process.execPath),
    env: { ...environment(), ...NO_FETCH, GIT_DIR: undefined, GIT_WORK_TREE: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  })
  const parts: Buffer[] = []
  let bytes = 0
  let isCut = false
  const stop = () => {
    isCut = true
    child.kill('SIGKILL')
  }
  const timer = setTimeout(stop, LONGEST_MS)
  signal?.addEventListener('abort', stop, { once: true })
  child.stdout.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes > MOST_BYTES) stop()
  })
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      done({ text: Buffer.concat(parts).toString('utf8'), isCut })
    }
    child.once('error', end)
    child.once('close', end)
  })
}
