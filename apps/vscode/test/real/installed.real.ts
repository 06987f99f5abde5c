import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { eventually } from './eventually.ts'
import { openShop, type Shop } from './shop.ts'

const ID = 'secretary.copilot-chat-secretary'
const MAX_BYTES = 25 * 1024 * 1024
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const repository = manifest.repository.url.replace(/\.git$/, '')
let shop: Shop
/** Where VS Code has installed it. */
let folder: string

beforeAll(async () => {
  shop = await openShop('installed')
  folder = (await shop.window.ask<{ folder: string }>('activationOf', { id: ID })).folder
})

describe('the extension as VS Code has installed it', () => {
  it('takes at most 25 MB, and has the licence of every package inside', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sizes = files.map((path) => statSync(join(folder, path))).filter((one) => one.isFile())
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_BYTES)
    const inBundles = readFileSync(
      join(folder, 'server', 'dist', 'THIRD-PARTY-LICENSES.txt'),
      'utf8',
    )
    for (const name of ['zod', 'hono', 'kysely']) expect(inBundles).toContain(`${name} `)
    const packages = files.filter((path) => /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+$/.test(path))
    expect(packages.length).toBeGreaterThan(0)
    const isLicensed = (path: string) =>
      readdirSync(join(folder, path)).some((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    expect(packages.filter((path) => !isLicensed(path))).toEqual([])
  })

  it('shows its pictures on its page', async () => {
    // The repository stands in for the web: what the page asks it for must be there.
    await shop.window.page.route(`${repository}/raw/HEAD/**`, (route) =>
      route.fulfill({ path: join(root, route.request().url().split('/raw/HEAD/')[1] ?? '') }),
    )
    await shop.window.command('workbench.extensions.search', '@installed chat secretary')
    await shop.window.page
      .locator('.extension-list-item', { hasText: 'Copilot Chat Secretary' })
      .first()
      .click()
    const page = shop.window.page.frameLocator('iframe.webview').frameLocator('#active-frame')
    await page.getByRole('heading', { name: 'Copilot Chat Secretary' }).waitFor()
    const shown = () => page.locator('img[src^="https:"]').evaluateAll(countLoaded)
    await eventually(shown).toBe(3)
    await shop.window.command('workbench.action.closeAllEditors')
  })

  it('has a walkthrough whose pictures show and whose steps do what they say', async () => {
    const { page } = shop.window
    await shop.window.command('workbench.action.openWalkthrough', `${ID}#start`)
    for (const title of ['See what you asked', 'Help your agent remember', 'Search by meaning']) {
      await page.getByRole('button', { name: title }).first().click()
      await eventually(() =>
        page.locator('.getting-started-media img').evaluateAll(countLoaded),
      ).toBeGreaterThan(0)
    }
    await page.getByRole('button', { name: 'Search', exact: true }).last().click()
    await page.locator('.quick-input-widget').getByText('What are you looking for').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'See what you asked' }).first().click()
    await page.getByRole('button', { name: 'Open the Views' }).click()
    await shop.window.view('Dialogs').waitFor()
  })
})

/** Runs in the browser. */
function countLoaded(pictures: object[]): number {
  return pictures.filter((one) => (one as { naturalWidth: number }).naturalWidth > 0).length
}
