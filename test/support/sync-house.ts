import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownFolder } from '@secretary-mcp/secretary/app/own-files.ts'
import { AgentsHome } from './agents-home.ts'
import { binary, connectStdio, isolatedEnvironment } from './mcp-client.ts'
import { namedHost } from './named-host.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PUBLISHED = 'https://git.example.com/acme/shop.git'

/** One of a person's machines: a home of its own, and a clone of the project in a folder of another name. */
export class SyncHouse {
  readonly home: AgentsHome
  readonly #env: Record<string, string>

  constructor(host: string, env: Readonly<Record<string, string>> = {}) {
    this.home = new AgentsHome(join(temporaryFolder(), host))
    mkdirSync(this.home.project, { recursive: true })
    execFileSync('git', ['init', '--quiet', this.home.project])
    execFileSync('git', ['-C', this.home.project, 'remote', 'add', 'origin', PUBLISHED])
    this.#env = isolatedEnvironment({ ...this.home.env, ...env, ...namedHost(host) })
  }

  get stored(): string {
    return join(this.home.home, '.secretary')
  }

  /** What is the person's alone there. */
  get own(): string {
    return ownFolder(this.stored, 'ada')
  }

  write(path: string, text: string): void {
    const file = join(this.home.project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  run(args: readonly string[], env: Record<string, string> = {}, input = '') {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: { ...this.#env, ...env },
      encoding: 'utf8',
      input,
    })
    return { stdout, stderr, status }
  }

  /** The output of a command that has to succeed. */
  ok(...args: string[]): string {
    const { stdout, stderr, status } = this.run(args)
    if (status !== 0) throw new Error(`secretary ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }

  call<Body = Record<string, unknown>>(tool: string, given: object = {}): Body {
    return JSON.parse(this.ok('call', tool, JSON.stringify(given))) as Body
  }

  /** An agent's server on this machine. */
  connect() {
    return connectStdio({ env: this.#env })
  }

  begin(args: readonly string[]) {
    return spawn(process.execPath, [binary, ...args], { env: this.#env, stdio: 'ignore' })
  }
}
