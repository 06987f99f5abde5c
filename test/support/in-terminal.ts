import { spawnSync } from 'node:child_process'
import { binary } from './mcp-client.ts'

/** What `secretary` shows in a terminal of so many columns, with its colours, and the code that it ends with. */
export function inTerminal(
  columns: number,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): { shown: string; lines: string[]; status: number | null } {
  const words = [process.execPath, binary, ...args].map((word) => `'${word}'`).join(' ')
  const { stdout, status } = spawnSync(
    '/usr/bin/script',
    ['-qec', `stty cols ${columns} rows 40 && exec ${words}`, '/dev/null'],
    { env: { TERM: 'xterm', ...env }, cwd: env.SECRETARY_PROJECT, encoding: 'utf8', input: '' },
  )
  const shown = stdout.replaceAll('\r', '')
  const lines = shown.replaceAll(COLOUR, '').trimEnd().split('\n')
  return { shown, lines, status }
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')
