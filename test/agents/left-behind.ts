import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Ends what an agent has started and left behind, such as a daemon of its own: it has the home that was made for this agent. */
export function endLeftBehind(home: string): void {
  for (const pid of existsSync('/proc') ? readdirSync('/proc') : []) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // Over by now, or nobody's process.
    }
  }
}
