import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

interface Around {
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
}

/** Runs to the end while this process goes on: it may be the one that the program talks to. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { input = '', ...around }: Around,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args, around)
  // A program that ends without reading its input breaks the pipe, which says nothing about it: its exit code does.
  child.stdin.on('error', ignoreBrokenPipe)
  child.stdin.end(input)
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { status, stdout, stderr }
}

export function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
