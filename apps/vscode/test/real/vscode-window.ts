import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { PATIENCE_MS, until } from './waiting.ts'

/** After this long without an effect, an entry of a menu is chosen again. */
const EFFECT_MS = 20_000

/** One window of the real VS Code: its page, and the probe in its extension host. */
export class VscodeWindow {
  readonly page: Page
  readonly #port: number

  constructor(page: Page, port: number) {
    this.page = page
    this.#port = port
    page.setDefaultTimeout(PATIENCE_MS)
  }

  /** Has the probe of this window do something. */
  async ask<T>(operation: string, rest: object = {}): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/`, {
      method: 'POST',
      body: JSON.stringify({ operation, ...rest }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { result, error } = (await answer.json()) as { result: T; error?: string }
    if (error !== undefined) throw new Error(error)
    return result
  }

  command<T>(id: string, ...args: unknown[]): Promise<T> {
    return this.ask('command', { id, args })
  }

  /** The JSON that a tool answers with. */
  async invoke(
    name: string,
    input: unknown,
    operation = 'invoke',
  ): Promise<Record<string, unknown>> {
    const parts = await this.ask<string[]>(operation, { name, input })
    if (parts.length !== 1) throw new Error(`The tool answered ${parts.length} parts`)
    return JSON.parse(String(parts[0])) as Record<string, unknown>
  }

  /** One of the extension's views. */
  view(name: string): Locator {
    return this.page.locator('.pane', {
      has: this.page.getByRole('button', { name: new RegExp(`^${name}\\b.*Section`) }),
    })
  }

  /** What a screen reader hears of the rows of a view. */
  async rows(view: string): Promise<string[]> {
    const rows = this.view(view).locator('.monaco-list-row')
    const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')))
    return labels.filter((label) => label !== null)
  }

  /** What VS Code says in its lower right corner. */
  notification(words: RegExp): Locator {
    return this.page.getByRole('dialog', { name: words })
  }

  /** Chooses from the context menu of a row, again where it had no effect: a menu that has only just opened takes no click yet, one over a tree that changes goes away. */
  async choose(
    row: RegExp,
    entry: string,
    isDone: () => Promise<boolean>,
    within: Locator | Page = this.page,
  ): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry, exact: true })
    const what = `the effect of ${entry}`
    const chosen = async () => {
      if (!(await item.isVisible())) {
        await within.getByRole('treeitem', { name: row }).first().click({ button: 'right' })
        await item.waitFor({ timeout: 10_000 })
      }
      await item.click({ timeout: 2_000 })
      await until(isDone, what, EFFECT_MS)
      return true
    }
    await until(chosen, what, 2 * PATIENCE_MS)
  }

  /** For the documentation, where it is asked for: `SECRETARY_PICTURES=docs/pictures npm run test:vscode`. */
  async picture(name: string): Promise<void> {
    const folder = process.env.SECRETARY_PICTURES
    if (!folder) return
    await this.page.mouse.move(700, 700)
    await this.page.screenshot({ path: join(folder, `${name}.png`) })
  }

  async close(): Promise<void> {
    await this.page.close()
  }
}
