import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { RipgrepMessage } from './ripgrep-message.ts'

export interface RipgrepRun {
  readonly args: readonly string[]
  readonly cwd: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Gets each message; true ends the run. */
  readonly onMessage: (message: RipgrepMessage) => boolean
  /** Asked when it takes longer than most searches do: whether it waits for what never comes. */
  readonly isStuck?: (signal: AbortSignal) => Promise<boolean>
}

export interface RipgrepEnd {
  readonly ended: 'completed' | 'stopped' | 'timed-out' | 'stuck'
  readonly exitCode: number | null
  readonly complaint: string
  /** Lines too long to be taken in; they matched and are not shown. */
  readonly leftOut: number
}

const LONGEST_COMPLAINT = 4096
const SUSPECT_AFTER_MS = 300
/** One line of 20 MB in which every sign matches makes a message of gigabytes. */
const LONGEST_MESSAGE = 4 * 1024 * 1024
/** An ignore file that never ends would have ripgrep take all the memory there is. In KB. */
const MOST_MEMORY_KB = 1_000_000

/** Runs ripgrep without a shell, and ends it as soon as nobody needs more. */
export async function runRipgrep({
  args,
  cwd,
  timeoutMs,
  signal,
  onMessage,
  isStuck = async () => false,
}: RipgrepRun): Promise<RipgrepEnd> {
  signal.throwIfAborted()
  const [program, ...given] = boundedCommand(await binary(), args)
  const child = spawn(program, given, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let ended: RipgrepEnd['ended'] = 'completed'
  let complaint = ''
  const stop = (why: RipgrepEnd['ended']) => {
    if (ended === 'completed') ended = why
    child.stdout.destroy()
    child.kill('SIGKILL')
  }
  const cancel = () => stop('stopped')
  const timer = setTimeout(() => stop('timed-out'), timeoutMs)
  const looking = new AbortController()
  const suspect = setTimeout(async () => {
    if ((await isStuck(looking.signal)) && !looking.signal.aborted) stop('stuck')
  }, SUSPECT_AFTER_MS)
  signal.addEventListener('abort', cancel, { once: true })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += chunk.toString()
  })
  let leftOut = 0
  child.stdout.on(
    'data',
    lineReader(
      (line) => {
        if (ended === 'completed' && onMessage(JSON.parse(line) as RipgrepMessage)) stop('stopped')
      },
      () => leftOut++,
    ),
  )
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(existsSync(cwd) ? unavailable(error) : noProject(error)),
      )
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    return { ended, exitCode, complaint, leftOut }
  } finally {
    clearTimeout(timer)
    clearTimeout(suspect)
    looking.abort()
    signal.removeEventListener('abort', cancel)
  }
}

/** Splits at newlines in bytes: a character may be cut in two between chunks, a newline cannot. */
function lineReader(
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      if (size + at - from > LONGEST_MESSAGE) onTooLong()
      else onLine(Buffer.concat([...waiting, chunk.subarray(from, at)]).toString('utf8'))
      waiting = []
      size = 0
      from = at + 1
    }
    size += chunk.length - from
    if (size > LONGEST_MESSAGE) waiting = []
    else if (from < chunk.length) waiting.push(chunk.subarray(from))
  }
}

function boundedCommand(program: string, args: readonly string[]): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args]
  const script = `ulimit -v ${MOST_MEMORY_KB} 2>/dev/null; exec "$0" "$@"`
  return ['/bin/sh', '-c', script, program, ...args]
}

let found: Promise<string> | undefined

/** The one from our dependencies; where its package for this platform is missing, the one on the path. */
function binary(): Promise<string> {
  found ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => 'rg',
  )
  return found
}

/** A working directory that is missing looks to the system as a missing program does. */
function noProject(cause: Error): Failure {
  return new Failure('not_found', 'The project folder does not exist', {
    cause,
    data: {
      details: 'It was moved or deleted; start the server in the right folder, or pass --project',
    },
  })
}

function unavailable(cause: Error): Failure {
  return new Failure('tool_unavailable', 'ripgrep could not be started', {
    cause,
    data: {
      details: 'Install Secretary again with optional dependencies, or put `rg` on the PATH',
    },
  })
}
