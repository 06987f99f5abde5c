import { existsSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('the guide, written on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const own = (path: string) => house.home.path('.secretary', 'docroot', path)

  beforeAll(async () => {
    here = await visit(openHouse((home) => writeProjectFile(home, 'tsconfig.json', '{}\n')))
    ;({ house, page } = here)
    page.on('dialog', (dialog) => void dialog.accept())
  })
  afterAll(() => here?.leave())

  it('takes a new document, with its preview beside it', async () => {
    await open('/guide')
    await page.getByRole('link', { name: 'New document' }).click()
    await page.getByLabel('Path').fill('guidelines/gates.md')
    await page.getByLabel('Text', { exact: true }).fill('# Gates\n\nPaint them **green**.\n')
    await page.getByRole('region', { name: 'Preview' }).locator('strong').waitFor()
    await expectGoodViews(page, 'editor')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'guidelines/gates.md' }).waitFor()
    expect(readFileSync(own('guidelines/gates.md'), 'utf8')).toContain('Paint them **green**')
  })

  it('overrides a shipped document, shows the difference, and goes back', async () => {
    await open('/guide?document=guide%3A%2F%2Flang%2Ftypescript.md')
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('Your copy will override').waitFor()
    const text = page.getByLabel('Text', { exact: true })
    const shipped = await text.inputValue()
    await text.fill(`${shipped}\nNever use enums.\n`)
    await page.locator('.diff .added', { hasText: '+Never use enums.' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'lang/typescript.md', exact: true }).waitFor()
    await page.locator('.prose').getByText('Never use enums.').waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.locator('.diff .added', { hasText: '+Never use enums.' }).waitFor()
    await page.getByRole('button', { name: 'Go back to the shipped document' }).click()
    await expect.poll(() => existsSync(own('lang/typescript.md'))).toBe(false)
  })

  it('says why a document was not saved, and keeps the text', async () => {
    await open('/guide?new=1')
    await page.getByLabel('Path').fill('../outside.md')
    await page.getByLabel('Text', { exact: true }).fill('# Outside\n')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('# Outside\n')
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByRole('link', { name: 'New document' }).click()
    await page.getByText('Your unsaved text is back').waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('# Outside\n')
    await page.getByRole('link', { name: 'Cancel' }).click()
  })

  it('turns profiles and flags on and off, and says what an agent gets', async () => {
    await open('/guide')
    const received = page.locator('section', { hasText: 'What an agent gets here' }).last()
    await received.getByText(/words, about [\d,]+ tokens/).waitFor()
    const typescript = page.getByRole('switch', { name: /^typescript/ })
    await typescript.click()
    await expect.poll(() => typescript.getAttribute('aria-checked')).toBe('true')
    await typescript.click()
    await page.getByText('Profile typescript is no longer in use').waitFor()
    await page.getByLabel('Flag name').fill('strict')
    await page.getByLabel('Flag value').fill('true')
    await page.getByRole('button', { name: 'Set flag' }).click()
    const flag = page.getByRole('switch', { name: 'Flag strict' })
    await flag.click()
    await expect
      .poll(async () => (await house.tool('guide_get_project_flag', { name: 'strict' })).value)
      .toMatchObject({ value: false })
    await expectGoodViews(page, 'guide')
    await page.getByRole('button', { name: 'Remove flag strict' }).click()
    await flag.waitFor({ state: 'detached' })
  })
})
