import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Programs } from '../install-vscode.mjs'
import { NOT_UP, until } from './waiting.ts'

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Default Light Modern',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'chat.mcp.autostart': 'newAndOutdated',
}
const COME_UP_MS = 120_000

interface Options {
  /** Folders are not trusted until the person says so, as on the desktop. Otherwise all of them are. */
  readonly asksForTrust?: boolean
}

/** One running VS Code with the packaged extension, the probe and the baseline, in a folder of its own. */
export class CodeServer {
  readonly work = realpathSync(mkdtempSync(join(tmpdir(), 'secretary-vscode-')))
  readonly #programs: Programs
  readonly #asksForTrust: boolean
  #server?: ChildProcess

  constructor(programs: Programs, { asksForTrust = false }: Options = {}) {
    this.#programs = programs
    this.#asksForTrust = asksForTrust
  }

  /** The address that its windows are opened at. */
  async start(vsix: string): Promise<string> {
    for (const folder of ['home', 'user-data/User', 'extensions', 'probes'])
      mkdirSync(join(this.work, folder), { recursive: true })
    const settings = {
      ...SETTINGS,
      'security.workspace.trust.enabled': this.#asksForTrust,
      'security.workspace.trust.startupPrompt': 'never',
    }
    writeFileSync(join(this.work, 'user-data', 'User', 'settings.json'), JSON.stringify(settings))
    // Unpacked extensions are taken in only as long as none was installed.
    for (const name of ['probe', 'baseline']) {
      const from = fileURLToPath(new URL(`../${name}`, import.meta.url))
      cpSync(from, join(this.work, 'extensions', `secretary-test.${name}-0.0.1`), {
        recursive: true,
      })
    }
    this.#install(vsix)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const log = createWriteStream(join(this.work, 'server.log'))
    const listening = [
      '--auth',
      'none',
      '--bind-addr',
      `127.0.0.1:${port}`,
      ...(this.#asksForTrust ? [] : ['--disable-workspace-trust']),
      '--ignore-last-opened',
    ]
    this.#server = spawn(this.#programs.node, [...this.#arguments(), ...listening], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#server.stdout?.pipe(log)
    this.#server.stderr?.pipe(log)
    await until(
      () => fetch(`${url}/healthz`).then(({ ok }) => ok),
      `${NOT_UP}code-server`,
      COME_UP_MS,
    )
    return url
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await ended
    }
    if (!process.env.SECRETARY_KEEP)
      // The servers of its windows keep writing for a moment; removal is tried until they have ended.
      await until(async () => {
        rmSync(this.work, { recursive: true, force: true })
        return true
      }, 'the end of the windows')
  }

  #install(vsix: string): void {
    const { status, stdout, stderr } = spawnSync(
      this.#programs.node,
      [...this.#arguments(), '--install-extension', vsix],
      {
        env: this.#environment(),
        encoding: 'utf8',
        timeout: 240_000,
      },
    )
    if (status !== 0) throw new Error(`The .vsix was not installed: ${stdout}\n${stderr}`)
  }

  #arguments(): string[] {
    return [
      this.#programs.server,
      '--user-data-dir',
      join(this.work, 'user-data'),
      '--extensions-dir',
      join(this.work, 'extensions'),
      '--config',
      join(this.work, 'none.yaml'),
      '--disable-telemetry',
      '--disable-update-check',
    ]
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      HOME: join(this.work, 'home'),
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      SECRETARY_PROBES: join(this.work, 'probes'),
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('No port is free')),
      )
    })
  })
}
