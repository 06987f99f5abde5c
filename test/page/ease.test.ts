import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import type { PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

const MAX_SHIFT = 0.05
const WATCH_SHIFTS = `{
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}`

describe('a page that is easy to use', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)

  beforeAll(async () => {
    here = await visit(openFurnishedHouse())
    ;({ house, page } = here)
    await page.addInitScript(WATCH_SHIFTS)
  })
  afterAll(() => here?.leave())

  it.each([
    ['/', '.requests > li'],
    ['/dialogs', '.virtual-row'],
    ['/tasks', '.virtual-row'],
    ['/dialogs?session=orchard', '.thread > li'],
  ])('moves through the list of %s with j and k from the start', async (path, item) => {
    await open(path)
    await page.locator(item).nth(1).waitFor()
    const place = () =>
      page.evaluate<number>(
        `[...document.querySelectorAll(${JSON.stringify(item)})].findIndex((one) => one.contains(document.activeElement))`,
      )
    await page.keyboard.press('j')
    await expect.poll(place).toBe(0)
    await page.keyboard.press('j')
    await expect.poll(place).toBe(1)
    await page.keyboard.press('k')
    await expect.poll(place).toBe(0)
  })

  it.each([1280, 390])('shifts little while it loads at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 860 })
    for (const [path, item] of [
      ['/', '.requests > li'],
      ['/dialogs', '.virtual-row'],
      ['/tasks', '.virtual-row'],
    ] as const) {
      await open(path)
      await page.locator(item).first().waitFor()
      await page.waitForLoadState('load')
      expect(await page.evaluate<number>('window.shifted'), path).toBeLessThanOrEqual(MAX_SHIFT)
    }
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it('renames a conversation, and its answers lead to the tasks they name', async () => {
    await open('/chat')
    await page.locator('.conversations li a').first().click()
    await page.locator('.message[data-sender="ai"]').first().waitFor()
    await page
      .getByRole('button', { name: /^Rename / })
      .first()
      .click()
    await page.getByLabel('Title').fill('What is left in the orchard')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    const title = page.locator('.conversations .title', { hasText: 'What is left in the orchard' })
    await title.waitFor()
    // All of it can be read.
    expect(await title.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    await page.getByLabel('Message').fill('What is left to do?')
    await page.keyboard.press('Enter')
    const listed = page.locator('.message[data-sender="ai"]').last()
    await listed.getByRole('link', { name: /^\d+$/ }).first().waitFor()
    await page.getByLabel('Message').fill('Add a task to oil the ladder')
    await page.keyboard.press('Enter')
    const link = page.locator('.message[data-sender="ai"] a[href*="/tasks/"]').last()
    await link.waitFor()
    await expectGoodViews(page, 'chat')
    await link.click()
    await page.getByLabel('Title').waitFor()
  })

  it('says in its own words that there is nothing at an address', async () => {
    const answer = await open('/no/such/place')
    expect(answer?.status()).toBe(404)
    await page.getByText('There is nothing at this address').waitFor()
    await page.getByRole('link', { name: 'Back to today' }).click()
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    const data = await fetch(`${house.url}/no/such/place`)
    expect(await data.json()).toMatchObject({ error: 'not_found' })
  })
})
