import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { binary } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { binOf, nodeBin } from './install-agents.mjs'
import { endLeftBehind } from './left-behind.ts'
import { ScriptedModel } from './model/scripted-model.ts'
import { greeting } from './requests.ts'

const MAX_RUN_MS = 240_000
/** Keeps homes and what the models heard, to be looked at. */
const isKept = process.env.SECRETARY_KEEP !== undefined

export interface Run {
  readonly status: number | null
  readonly output: string
}

const makeFolder = (agentId: string) =>
  isKept ? mkdtempSync(join(tmpdir(), `${agentId}-`)) : temporaryFolder()

/** With everything that it started. */
function end({ pid }: ChildProcess): void {
  if (pid) process.kill(-pid, 'SIGKILL')
}

/** A home, a project and a scripted model for one real agent. It shares nothing with this machine's own. */
export class AgentHouse {
  readonly model = new ScriptedModel()
  readonly home: string
  readonly project: string
  readonly #folder: string
  readonly #bin: string
  readonly #agentBin: string
  readonly #running = new Set<ChildProcess>()

  /** A second agent may share the home and the project of a first; its model is its own. */
  constructor(agentId: string, beside?: AgentHouse) {
    const folder = beside ? beside.#folder : makeFolder(agentId)
    this.#folder = folder
    this.home = join(folder, 'home')
    this.project = join(folder, 'shop')
    this.#bin = join(folder, 'bin')
    this.#agentBin = binOf(agentId)
    if (beside) return
    for (const made of [this.home, this.project, this.#bin]) mkdirSync(made)
    this.write(
      join(this.#bin, 'secretary'),
      `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`,
    )
    chmodSync(join(this.#bin, 'secretary'), 0o755)
    this.#makeProject()
  }

  get env(): Record<string, string> {
    return {
      PATH: [this.#bin, this.#agentBin, nodeBin, '/usr/local/bin', '/usr/bin', '/bin'].join(
        delimiter,
      ),
      HOME: this.home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      USER: 'dev',
      SHELL: '/bin/sh',
      npm_config_update_notifier: 'false',
      // On a busy machine it takes longer than an agent would wait.
      SECRETARY_HOOK_SECONDS: '60',
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  inHome(...parts: string[]): string {
    return join(this.home, ...parts)
  }

  /** Runs the agent until it ends by itself; one that does not is killed with everything it started. */
  run(
    program: string,
    args: readonly string[],
    env: Record<string, string>,
    input?: string,
  ): Promise<Run> {
    const child = spawn(program, args, {
      cwd: this.project,
      env: { ...this.env, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    this.#running.add(child)
    child.stdin?.end(input)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(child), MAX_RUN_MS)
      child.once('error', reject)
      child.once('close', (status) => {
        clearTimeout(timer)
        this.#running.delete(child)
        resolve({ status, output })
      })
    })
  }

  async leave(): Promise<void> {
    for (const child of this.#running) end(child)
    endLeftBehind(this.home)
    await this.model.stop()
    if (!isKept) return
    const heard = mkdtempSync(join(this.#folder, 'heard-'))
    this.write(join(heard, 'heard.json'), JSON.stringify(this.model.heard, null, 1))
    console.log(`kept: ${heard}`)
  }

  secretary(...args: string[]): { stdout: string; stderr: string; status: number | null } {
    return spawnSync('secretary', args, { cwd: this.project, env: this.env, encoding: 'utf8' })
  }

  /** What a tool of the dialogs answers, seen from the project. */
  ask(tool: string, args: object = {}): Record<string, unknown> {
    const { stdout, stderr } = this.secretary(
      'call',
      `copilot_chat_secretary_${tool}`,
      JSON.stringify(args),
    )
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }

  #makeProject(): void {
    const files = {
      'package.json':
        '{ "name": "shop", "private": true, "scripts": { "test": "node check.mjs" } }\n',
      'check.mjs': [
        "import { readFileSync } from 'node:fs'",
        "const isPolite = readFileSync('src/greet.js', 'utf8').includes('Good morning')",
        "console.log(isPolite ? '1 passed' : '1 failed: the greeting is too short')",
        'process.exit(isPolite ? 0 : 1)',
        '',
      ].join('\n'),
      'src/greet.js': `${greeting('Hello')}\n`,
    }
    for (const [path, text] of Object.entries(files)) this.write(join(this.project, path), text)
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@localhost', ...args], {
        cwd: this.project,
        env: this.env,
      })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'A shop that greets')
  }
}
