import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { AgentHouse } from './agent-house.ts'

/** An agent in a terminal of its own, typed into as a person would. */
export class AgentTerminal {
  readonly #socket = `secretary-${randomBytes(6).toString('hex')}`

  constructor(house: AgentHouse, command: readonly string[], env: Record<string, string>) {
    const variables = Object.entries({ ...house.env, ...env }).map(
      ([name, value]) => `${name}=${value}`,
    )
    this.#tmux(
      ['-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '50', '-c', house.project],
      ['env', '-i', ...variables, ...command],
    )
  }

  screen(): string {
    return this.#tmux(['capture-pane', '-p'])
  }

  /** As one paste, so that its lines are not taken for several requests. */
  paste(text: string): void {
    this.#tmux(['load-buffer', '-'], [], text)
    this.#tmux(['paste-buffer', '-p', '-d'])
  }

  press(...keys: string[]): void {
    this.#tmux(['send-keys', ...keys])
  }

  /** Some agents live on without their terminal, so they are ended by their process. */
  close(): void {
    const pid = Number(this.#tmux(['display-message', '-p', '#{pane_pid}']))
    this.#tmux(['kill-server'])
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It went with its terminal.
    }
  }

  #tmux(args: readonly string[], rest: readonly string[] = [], input = ''): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args, ...rest], { encoding: 'utf8', input })
  }
}
