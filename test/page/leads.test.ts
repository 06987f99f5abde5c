import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

const LINES = Array.from({ length: 60 }, (_, place) => `export const crate${place + 1} = ${place}`)
const CRATES = `${LINES.join('\n')}\n`
const ASKED = `Count the crates.

- one constant for **each crate**
- begin with \`crate1\`

\`\`\`ts
export const crate1 = 0
\`\`\``

describe('dialogs and files that lead somewhere', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)

  beforeAll(async () => {
    here = await visit(
      openHouse((home) => {
        writeProjectFile(home, 'src/fruit/crates.ts', CRATES)
        keepWorkedDialog(
          home,
          'crates',
          [
            {
              minutesAgo: 30,
              ask: ASKED,
              acts: [
                { write: 'src/fruit/crates.ts', text: CRATES },
                { run: 'npm test', fails: true, output: 'crate 61 is missing' },
                { run: 'npm test', output: '60 passed' },
              ],
              says: 'There are sixty.',
            },
            {
              minutesAgo: 10,
              ask: 'Rename the last one.',
              acts: [
                {
                  edit: 'src/fruit/crates.ts',
                  from: 'export const crate60 = 59',
                  to: 'export const last = 59 // key sk-ant-abcdefghijklmnopqrstuvwx',
                },
              ],
              says: 'It is named last.',
            },
            {
              minutesAgo: 5,
              ask: 'Decision: the last crate is named last, because people look for it.',
              says: 'Noted.',
            },
          ],
          { lastAt: Date.now() - 120_000, summary: 'Sixty crates' },
        )
      }),
    )
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it('shows a request as it was meant, with its lists and code', async () => {
    await open('/dialogs?session=crates')
    const first = page.locator('#request-1')
    await first.locator('.request-words strong', { hasText: 'each crate' }).waitFor()
    expect(await first.locator('.request-words li').count()).toBe(2)
    await first.locator('.request-words pre', { hasText: 'export const crate1' }).waitFor()
  })

  it('opens the work on a request: diffs, and commands with their ends', async () => {
    await open('/dialogs?session=crates')
    const first = page.locator('#request-1')
    await first.locator('.deeds > summary').click()
    const commands = first.getByRole('list', { name: 'Commands' }).getByRole('listitem')
    await commands.nth(1).waitFor()
    expect(await commands.nth(0).textContent()).toMatch(/npm test.*exit 1.*crate 61 is missing/s)
    expect(await commands.nth(1).textContent()).toContain('succeeded')
    const second = page.locator('#request-2')
    await second.locator('.deeds > summary').click()
    await second.getByText('Diff').click()
    await second.locator('.removed', { hasText: '-export const crate60 = 59' }).waitFor()
    await second.locator('.added', { hasText: '+export const last = 59' }).waitFor()
    expect(await second.locator('.added').textContent()).not.toContain('sk-ant-abc')
    await expectGoodViews(page, 'work')
  })

  it('jumps to a request by its words', async () => {
    await open('/dialogs?session=crates')
    await page
      .getByRole('navigation', { name: 'Requests' })
      .getByRole('link', { name: 'Rename the last one.' })
      .click()
    await page.waitForURL(/at=2/)
    expect(await page.locator('#request-2').getAttribute('data-marked')).toBe('true')
    await open('/dialogs?session=crates')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Jump to a request').selectOption({ label: '2. Rename the last one.' })
    await page.waitForURL(/at=2/)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('lists what was decided in a dialog', async () => {
    type Suggested = { suggestions: { id: string; session: string }[] }
    const suggested = async () =>
      (await house.api<Suggested>('GET', '/api/v1/suggestions')).suggestions.find(
        ({ session }) => session === 'crates',
      )
    await expect.poll(suggested, { timeout: 60_000 }).toBeDefined()
    await house.api('PUT', `/api/v1/suggestions/${(await suggested())?.id}`, {
      verdict: 'confirmed',
    })
    await open('/dialogs?session=crates')
    await page.getByText(/decisions? made here/).click()
    await page
      .locator('.decisions')
      .getByText(/the last crate is named last/)
      .waitFor()
    await expectGoodViews(page, 'decisions')
  })

  it('links lines of a file, one or several, and keeps them over a reload', async () => {
    await open('/file?path=src%2Ffruit%2Fcrates.ts')
    const marked = page.locator('.source-line[data-marked="true"]')
    await page.getByRole('link', { name: 'Line 10', exact: true }).click()
    await expect.poll(() => page.url()).toMatch(/#L10$/)
    await page.getByRole('link', { name: 'Line 12', exact: true }).click({ modifiers: ['Shift'] })
    await expect.poll(() => page.url()).toMatch(/#L10-L12$/)
    await expect.poll(() => marked.count()).toBe(3)
    await page.reload()
    await expect.poll(() => marked.count()).toBe(3)
    await open('/file?path=src%2Ffruit%2Fcrates.ts&q=crate57#L55')
    await page.locator('.source-line[data-hit="true"]', { hasText: 'crate57' }).waitFor()
    const bar = await page.locator('.file-bar').boundingBox()
    expect(bar?.y).toBeLessThan(5)
    await expectGoodViews(page, 'file')
  })

  it('opens a file in the editor, and leads from its folders to what is in them', async () => {
    await open('/file?path=src%2Ffruit%2Fcrates.ts#L7')
    const editor = page.getByRole('link', { name: 'Open in VS Code' })
    expect(await editor.getAttribute('href')).toBe(
      `vscode://file/${house.home.project.slice(1)}/src/fruit/crates.ts:7`,
    )
    await page.getByRole('link', { name: 'fruit', exact: true }).click()
    await page
      .getByRole('link', { name: /src\/fruit\/crates\.ts/ })
      .first()
      .waitFor()
  })
})
