import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { VscodeWindow } from './vscode-window.ts'
import { NOT_UP, until } from './waiting.ts'

const COME_UP_MS = 180_000

interface Probe {
  readonly port: number
  readonly pid: number
  readonly folder: string | null
}

/** The browser of one file of tests, with a window of VS Code in each of its pages. */
export class Windows {
  readonly work: string
  readonly #url: string
  readonly #browser: BrowserContext

  private constructor(work: string, url: string, browser: BrowserContext) {
    this.work = work
    this.#url = url
    this.#browser = browser
  }

  /** Closed when the tests of the file have ended. */
  static async start(running = inject('vscode')): Promise<Windows> {
    const { url, work, chromium: executablePath, failure } = running
    if (url === undefined) throw new Error(failure)
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
    ]
    const browser = await chromium
      .launch({ executablePath, args, timeout: COME_UP_MS })
      .catch((error: Error) => {
        throw new Error(`${NOT_UP}${error.message}`)
      })
    afterAll(() => browser.close())
    // One for all windows, so that only the first one has to fetch all of VS Code.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    return new Windows(work, url, context)
  }

  /** Where VS Code is served, and with that the name of the remote side of each window. */
  get host(): string {
    return new URL(this.#url).host
  }

  get user(): string {
    return join(this.work, 'user-data', 'User')
  }

  /** A folder of its own for a window. */
  project(name: string): string {
    const folder = join(this.work, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** Opens a window; without a folder, an empty one. Its language is what a language pack would set. */
  async open(folder?: string, language?: string): Promise<VscodeWindow> {
    const page = await this.#browser.newPage()
    if (language) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}'`)
    const known = new Set(this.#probes().map(({ pid }) => pid))
    const findOurs = () =>
      this.#probes().find((probe) => !known.has(probe.pid) && probe.folder === (folder ?? null))
    await page.goto(
      `${this.#url}/?${folder ? `folder=${encodeURIComponent(folder)}` : 'ew=true'}`,
      {
        waitUntil: 'domcontentloaded',
        timeout: COME_UP_MS,
      },
    )
    await until(
      () => page.locator('.monaco-workbench').isVisible(),
      `${NOT_UP}the workbench`,
      COME_UP_MS,
    )
    await until(() => findOurs() !== undefined, `${NOT_UP}the extension host`, COME_UP_MS)
    const probe = findOurs()
    if (!probe) throw new Error(`${NOT_UP}the probe is gone`)
    return new VscodeWindow(page, probe.port)
  }

  /** Everything that the extension has written to its log, in all windows of all files. */
  get extensionLog(): string {
    const logs = join(this.work, 'user-data', 'logs')
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('Copilot Chat Secretary.log'))
      .map((path) => readFileSync(join(logs, path), 'utf8'))
      .join('')
  }

  #probes(): Probe[] {
    const folder = join(this.work, 'probes')
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Probe)
  }
}
