import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { environment } from './config/environment.ts'

export interface GitRun {
  readonly signal?: AbortSignal
  readonly longestMs: number
  readonly mostBytes: number
}

export interface GitAnswer {
  readonly text: string
  /** It took too long or said too much, and was ended. */
  readonly isCut: boolean
  readonly isFailed: boolean
}

/**
 * A project's own git configuration may name programs: for signatures, for what a partial clone lacks, for
 * watching files. None of them is run.
 */
const HARMLESS = [
  ...['-c', 'core.quotepath=off'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'log.showSignature=false'],
  // It would be opened whatever it is, and a pipe in its place be waited for.
  ...['-c', 'log.mailmap=false'],
  ...['-c', 'safe.bareRepository=explicit'],
]
const NO_FETCH = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }
const FILTER = /^filter\..*\.(?:clean|smudge|process|required)$/i

export function runGit(
  folder: string,
  args: readonly string[],
  { signal, longestMs, mostBytes }: GitRun,
): Promise<GitAnswer> {
  if (signal?.aborted) return Promise.resolve({ text: '', isCut: true, isFailed: true })
  const child = spawn('git', ['-C', folder, '--no-pager', ...HARMLESS, ...args], {
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
    child.stdout.destroy()
    child.kill('SIGKILL')
  }
  const timer = setTimeout(stop, longestMs)
  signal?.addEventListener('abort', stop, { once: true })
  child.stdout.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes > mostBytes) stop()
  })
  return new Promise((done) => {
    const end = (code: unknown) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      done({ text: Buffer.concat(parts).toString('utf8'), isCut, isFailed: code !== 0 })
    }
    child.once('error', end)
    child.once('close', end)
  })
}

/**
 * Options that turn off the programs through which the files of a checkout pass: they are named in its configuration too.
 * Undefined where one of them cannot be turned off.
 */
export async function withoutFilters(folder: string, run: GitRun): Promise<string[] | undefined> {
  const { text, isCut } = await runGit(folder, ['config', '--list', '--name-only', '-z'], run)
  const keys = [...new Set(text.split('\0').filter((key) => FILTER.test(key)))]
  // What stands behind the first `=` would be taken for the value.
  if (isCut || keys.some((key) => key.includes('='))) return undefined
  return keys.flatMap((key) => ['-c', `${key}=${/required$/i.test(key) ? 'false' : ''}`])
}
