import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type Disposable, env, Uri, window } from 'vscode'
import type { Log } from '../../../../src/core/log.ts'
import { serverProgram } from './server-program.ts'

const PATIENCE_MS = 15_000

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
      const url = await this.#url
      await env.openExternal(await env.asExternalUri(Uri.parse(url)))
    } catch (error) {
      this.#url = undefined
      this.#log.error({ err: error }, 'the dashboard did not start')
      window.showErrorMessage('The dashboard did not start. “Chat Secretary: Show Logs” says why.')
    }
  }

  dispose(): void {
    this.#serving?.kill()
  }

  /** The address is the first line that the command prints. */
  #serve(): Promise<string> {
    const { command, script, env: own } = serverProgram(this.#extensionPath)
    const child = spawn(command, [script, 'open', '--print'], {
      env: { ...inherited(), ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#serving = child
    child.stderr.on('data', (bytes: Buffer) => this.#log.debug(String(bytes).trim()))
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('It took too long')), PATIENCE_MS)
      firstLine(child.stdout).then(resolve, reject)
      child.once('error', reject)
      child.once('exit', (code) => {
        clearTimeout(late)
        // Where another server is running the command says where and ends well; the next time asks anew in any case.
        this.#url = undefined
        if (code !== 0) reject(new Error(`It ended with code ${code}`))
      })
    })
  }
}

async function firstLine(output: Readable): Promise<string> {
  // Loaded here, since at activation it would cost more than all of this file.
  const { createInterface } = await import('node:readline')
  return new Promise((resolve) => createInterface(output).once('line', resolve))
}

function inherited(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: a child process needs the surroundings of this one
  return process.env
}
