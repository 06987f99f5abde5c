import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Programs } from '../install-vscode.mjs'

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Default Light Modern',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'chat.mcp.autostart': 'newAndOutdated',
}
const COME_UP_MS = 90_000

/** Begins the message where VS Code itself did not start: nothing is known about the extension then. */
const NOT_UP = 'VS Code is not up: '

/** One running VS Code with the packaged extension and the probe, and a browser to open windows in. */
export class RealVscode {
  readonly work = realpathSync(mkdtempSync(join(tmpdir(), 'secretary-vscode-')))
  readonly userData = join(this.work, 'user-data')
  readonly extensions = join(this.work, 'extensions')
  readonly #programs: Programs
  #server?: ChildProcess
  #browser?: Browser
  #url = ''

  constructor(programs: Programs) {
    this.#programs = programs
  }

  async start(vsix: string): Promise<void> {
    for (const folder of ['home', 'user-data/User', 'extensions']) mkdirSync(join(this.work, folder), { recursive: true })
    writeFileSync(join(this.userData, 'User', 'settings.json'), JSON.stringify(SETTINGS))
    // Unpacked extensions are taken in only as long as none was installed.
    cpSync(fileURLToPath(new URL('../probe', import.meta.url)), join(this.extensions, 'secretary-test.probe-0.0.1'), {
      recursive: true,
    })
    this.#install(vsix)
    const port = await freePort()
    this.#url = `http://127.0.0.1:${port}`
    const log = createWriteStream(join(this.work, 'server.log'))
    this.#server = spawn(
      this.#programs.node,
      [
        ...this.#arguments(),
        '--auth',
        'none',
        '--bind-addr',
        `127.0.0.1:${port}`,
        '--disable-workspace-trust',
        '--ignore-last-opened',
      ],
      { env: this.#environment(), stdio: ['ignore', 'pipe', 'pipe'] },
    )
    this.#server.stdout?.pipe(log)
    this.#server.stderr?.pipe(log)
    await until(() => fetch(`${this.#url}/healthz`).then(({ ok }) => ok), `${NOT_UP}code-server`, 60_000)
    this.#browser = await chromium
      .launch({
        executablePath: this.#programs.chromium,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
      })
      .catch((error: Error) => {
        throw new Error(`${NOT_UP}${error.message}`)
      })
  }

  /** A folder of its own for a window. */
  project(name: string): string {
    const folder = join(this.work, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** Opens a window; without a folder, an empty one. */
  async open(folder?: string): Promise<VscodeWindow> {
    if (!this.#browser) throw new Error(`${NOT_UP}the browser was not started`)
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const known = new Set(this.#probes().map(({ port }) => port))
    await page.goto(`${this.#url}/?${folder ? `folder=${encodeURIComponent(folder)}` : 'ew=true'}`, {
      waitUntil: 'domcontentloaded',
    })
    const isOurs = (probe: { port: number; folder: string | null }) => !known.has(probe.port) && probe.folder === (folder ?? null)
    await until(() => page.locator('.monaco-workbench').isVisible(), `${NOT_UP}the workbench`, COME_UP_MS)
    await until(() => this.#probes().some(isOurs), `${NOT_UP}the extension host`, COME_UP_MS)
    const probe = this.#probes().find(isOurs)
    if (!probe) throw new Error(`${NOT_UP}the probe is gone`)
    return new VscodeWindow(page, probe.port)
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    const server = this.#server
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await ended
    }
    if (!process.env.SECRETARY_KEEP) rmSync(this.work, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Everything that the extension has written to its log, in all windows. */
  get extensionLog(): string {
    const logs = join(this.userData, 'logs')
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('Copilot Chat Secretary.log'))
      .map((path) => readFileSync(join(logs, path), 'utf8'))
      .join('')
  }

  #install(vsix: string): void {
    const { status, stdout, stderr } = spawnSync(this.#programs.node, [...this.#arguments(), '--install-extension', vsix], {
      env: this.#environment(),
      encoding: 'utf8',
      timeout: 120_000,
    })
    if (status !== 0) throw new Error(`The .vsix was not installed: ${stdout}\n${stderr}`)
  }

  #arguments(): string[] {
    return [
      this.#programs.server,
      '--user-data-dir',
      this.userData,
      '--extensions-dir',
      this.extensions,
      '--config',
      join(this.work, 'none.yaml'),
      '--disable-telemetry',
      '--disable-update-check',
    ]
  }

  #environment(): NodeJS.ProcessEnv {
    return { HOME: join(this.work, 'home'), PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SECRETARY_PROBES: join(this.work, 'probes') }
  }

  #probes(): { port: number; folder: string | null }[] {
    const folder = join(this.work, 'probes')
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { port: number; folder: string | null })
    } catch {
      return []
    }
  }
}

export class VscodeWindow {
  readonly page: Page
  readonly #port: number

  constructor(page: Page, port: number) {
    this.page = page
    this.#port = port
  }

  /** Has the probe of this window do something. */
  async ask<T>(operation: string, rest: object = {}): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/`, {
      method: 'POST',
      body: JSON.stringify({ operation, ...rest }),
      signal: AbortSignal.timeout(60_000),
    })
    const { result, error } = (await answer.json()) as { result: T; error?: string }
    if (error !== undefined) throw new Error(error)
    return result
  }

  command<T>(id: string, ...args: unknown[]): Promise<T> {
    return this.ask('command', { id, args })
  }

  /** The JSON that a tool answers with. */
  async invoke(name: string, input: unknown, operation = 'invoke'): Promise<Record<string, unknown>> {
    const parts = await this.ask<string[]>(operation, { name, input })
    if (parts.length !== 1) throw new Error(`The tool answered ${parts.length} parts`)
    return JSON.parse(String(parts[0])) as Record<string, unknown>
  }

  /** What a screen reader hears of the rows of a view. */
  async rows(view: string): Promise<string[]> {
    const list = this.page.locator('.pane', { has: this.page.getByRole('button', { name: new RegExp(`^${view}\\b.*Section`) }) })
    const labels = await list.locator('.monaco-list-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')))
    return labels.filter((label) => label !== null)
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string, withinMs: number): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`${what} did not come within ${withinMs / 1000} s`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port is free'))))
    })
  })
}
