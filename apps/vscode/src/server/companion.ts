import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Disposable } from 'vscode'
import { inherited } from './inherited.ts'
import type { ServerProgram } from './server-program.ts'

const PATIENCE_MS = 60_000
const ANSWER_MS = 60_000
const MAX_KEPT = 2_000

/** Said where the server answered with a refusal, in its own words. */
export class Refused extends Error {}

export interface Served {
  readonly url: string
  /** Undefined if the server requires none. */
  readonly token?: string
}

export interface ToolAnswer {
  readonly isError: boolean
  readonly body: Readonly<Record<string, unknown>>
}

/** The server of one folder as a process of this window: its page, its API and its tools. It ends with the extension. */
export class Companion implements Disposable {
  readonly #program: () => Promise<ServerProgram>
  #serving?: ChildProcess
  #served?: Promise<Served>

  constructor(program: () => Promise<ServerProgram>) {
    this.#program = program
  }

  /** Whether it was asked something already. */
  get isRunning(): boolean {
    return this.#serving !== undefined
  }

  /** The server's own address, and the token that its API takes. */
  served(): Promise<Served> {
    this.#served ??= this.#serve().catch((error: unknown) => {
      this.dispose()
      throw error
    })
    return this.#served
  }

  /** Where the page is, with a code that signs a browser in once: other accounts can read what a browser is started with. */
  async pageAddress(): Promise<string> {
    const { url, token } = await this.served()
    if (token === undefined) return `${url}/`
    const { code } = await this.send<{ code: string }>('POST', 'sign-in-codes', {})
    return `${url}/?code=${code}`
  }

  get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) given.set(name, String(value))
    return this.#call<T>('GET', `${path}?${given}`)
  }

  send<T>(method: 'POST' | 'PATCH', path: string, body: object, signal?: AbortSignal) {
    return this.#call<T>(method, path, JSON.stringify(body), signal)
  }

  tool(name: string, args: object, signal?: AbortSignal): Promise<ToolAnswer> {
    return this.send<ToolAnswer>('POST', `tools/${name}`, args, signal)
  }

  dispose(): void {
    this.#serving?.kill()
    this.#serving = undefined
    this.#served = undefined
  }

  async #call<T>(method: string, path: string, body?: string, signal?: AbortSignal): Promise<T> {
    const { url, token } = await this.served()
    const late = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      body,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
      },
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const said = (await answer.json()) as T & { message?: string }
    if (!answer.ok) throw new Refused(said.message ?? `The server answered ${answer.status}`)
    return said
  }

  /** The address is in the first line that the command prints. */
  async #serve(): Promise<Served> {
    const { command, script, env: own } = await this.#program()
    if (!existsSync(script)) throw new Error(`There is no server at ${script}`)
    const child = spawn(command, [script, 'open', '--json', '--until-stdin-ends'], {
      // A free port, since a server that is already running may be about another folder.
      env: { ...inherited(), ...own, SECRETARY_PORT: '0', SECRETARY_PAGE_IN_EDITOR: 'on' },
      // It ends with the pipe, also where this process is killed and can no longer say so.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#serving = child
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes).slice(-MAX_KEPT)
    })
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`It took too long. ${said}`)), PATIENCE_MS)
      createInterface(child.stdout).once('line', (line) => {
        clearTimeout(late)
        try {
          const { url, token } = JSON.parse(line) as Served
          resolve({ url: new URL(url).origin, token })
        } catch {
          reject(new Error(`It printed no address. ${said}`))
        }
      })
      child.once('error', reject)
      child.once('exit', (code) => {
        clearTimeout(late)
        if (this.#serving === child) this.dispose()
        reject(new Error(`It ended with code ${code}. ${said}`))
      })
    })
  }
}
