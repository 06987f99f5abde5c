import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { commands, type Disposable, env, Uri } from 'vscode'
import type { Log } from '../../../../src/core/log.ts'
import { offer } from '../offer.ts'
import { inherited } from './inherited.ts'
import { serverProgram } from './server-program.ts'

const PATIENCE_MS = 60_000
const LONGEST_KEPT = 2_000

/** The web page of the server, served by a process that ends with the extension. */
export class Dashboard implements Disposable {
  readonly #extensionPath: string
  readonly #log: Log
  #serving?: ChildProcess
  #url?: Promise<string>

  constructor(extensionPath: string, log: Log) {
    this.#extensionPath = extensionPath
    this.#log = log
  }

  async open(): Promise<void> {
    try {
      this.#url ??= this.#serve()
      await show(await this.#url)
    } catch (error) {
      this.dispose()
      this.#log.error(`The dashboard did not start. ${(error as Error).message}`)
      offer('The dashboard did not start. The log says why.', 'Show Logs', () =>
        commands.executeCommand('copilotChatSecretary.showLogs'),
      )
    }
  }

  dispose(): void {
    this.#serving?.kill()
    this.#serving = undefined
    this.#url = undefined
  }

  /** The address is the first line that the command prints. */
  #serve(): Promise<string> {
    const { command, script, env: own } = serverProgram(this.#extensionPath)
    const child = spawn(command, [script, 'open', '--print', '--until-stdin-ends'], {
      // A free port, since a server that is already running may be about another folder.
      env: { ...inherited(), ...own, SECRETARY_PORT: '0' },
      // It ends with the pipe, also where this process is killed and can no longer say so.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#serving = child
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes).slice(-LONGEST_KEPT)
    })
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`It took too long. ${said}`)), PATIENCE_MS)
      firstLine(child.stdout).then(resolve, reject)
      child.once('error', reject)
      child.once('exit', (code) => {
        clearTimeout(late)
        if (this.#serving === child) this.dispose()
        reject(new Error(`It ended with code ${code}. ${said}`))
      })
    })
  }
}

async function show(url: string): Promise<void> {
  const reached = await env.asExternalUri(Uri.parse(url))
  if (reached.path.length <= 1) return void (await env.openExternal(reached))
  // A VS Code in the browser may pass ports on below a path of its own, where the page would not find its parts.
  const words = `The dashboard cannot be shown through this VS Code. On the machine that it runs on, it is at ${url}`
  offer(words, 'Copy Address', () => env.clipboard.writeText(url))
}

async function firstLine(output: Readable): Promise<string> {
  // Loaded here, since at activation it would cost more than all of this file.
  const { createInterface } = await import('node:readline')
  return new Promise((resolve) => createInterface(output).once('line', resolve))
}
