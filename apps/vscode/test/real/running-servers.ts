import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface RunningServer {
  readonly program: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

/** The servers that run below a home and what each was started with, by the system's own account. */
export function runningServers(home: string): RunningServer[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [program = '', script = ''] = fileOf(pid, 'cmdline').split('\0')
      const env = environmentOf(fileOf(pid, 'environ'))
      return script.endsWith('secretary.js') && env.HOME === home ? [{ program, script, env }] : []
    })
}

/** What a tool answers to whoever runs what the window runs. */
export function answerOf({ program, script, env }: RunningServer, tool: string, args: object) {
  const given = [script, 'call', tool, JSON.stringify(args)]
  return spawnSync(program, given, { env, encoding: 'utf8' }).stdout
}

/** Empty for a process that has ended. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function environmentOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split('\0').map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}
