import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ignoreBrokenPipe } from './run-program.ts'

const QUESTION = 'Write it? [y/N] '

interface Around {
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs a command in a terminal of its own, types an answer to each question, and gives what the screen showed. */
export async function typeAnswers(
  command: string,
  around: Around,
  answers: readonly string[],
): Promise<string> {
  const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], around)
  child.stdin.on('error', ignoreBrokenPipe)
  let shown = ''
  let asked = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    for (; shown.split(QUESTION).length - 1 > asked; asked++)
      child.stdin.write(`${answers[asked] ?? 'n'}\n`)
  })
  await once(child, 'close')
  return shown.replaceAll('\r', '')
}
