import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { watchAnswers } from '../support/declared-answers.ts'
import { openHouse, type PageHouse } from '../support/page-house.ts'
import { expectGoodViews } from '../support/views.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

const DECISION = 'We decided to keep sessions in Redis.'
const RULE = 'In this repo we never touch the lock file by hand.'

describe('the page of suggestions', () => {
  let browser: Browser
  let page: Page
  let house: PageHouse
  const problems: string[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage({ reducedMotion: 'reduce' })
    page.on('pageerror', (error) => problems.push(error.message))
    watchAnswers(page, problems)
    house = await openHouse((home) => {
      keepWorkedDialog(
        home,
        'decided',
        [
          {
            minutesAgo: 5,
            ask: `Add a cache. ${DECISION}`,
            says: 'Done. We decided to drop Postgres.',
          },
          { minutesAgo: 2, ask: RULE, says: 'Understood.' },
        ],
        { lastAt: Date.now() - 60_000 },
      )
    })
  })
  afterAll(async () => {
    await house?.stop()
    await browser?.close()
    expect(problems).toEqual([])
  })

  it('C14 lists what was typed with Confirm and Dismiss, and Today shows only what was confirmed', async () => {
    await page.goto(house.url)
    await page.goto(`${house.url}/guide`)
    await page.getByRole('link', { name: 'Suggestions' }).click()
    const rows = page.locator('.suggestions > li')
    await rows.nth(1).waitFor({ timeout: 60_000 })
    expect(await rows.count()).toBe(2)
    expect(await page.locator('.suggestions').textContent()).not.toContain('Postgres')
    await expectGoodViews(page, 'suggestions')
    await page.goto(house.url)
    await page.locator('.health').waitFor()
    expect(await page.getByText(DECISION, { exact: true }).count()).toBe(0)

    await page.goto(`${house.url}/guide`)
    await page.getByRole('link', { name: 'Suggestions' }).click()
    await page.getByRole('button', { name: `Confirm: ${DECISION}` }).click()
    await page.getByText(`Confirmed: ${DECISION}`).waitFor()
    await page.getByRole('button', { name: `Dismiss: ${RULE}` }).click()
    await page.getByText('No suggestions').waitFor()
    await page.goto(house.url)
    const decided = page.locator('section', { hasText: 'Recent decisions' }).last()
    await decided.getByText(DECISION).waitFor()
    expect(await decided.getByRole('link', { name: 'from request 1' }).count()).toBe(1)
  })
})
