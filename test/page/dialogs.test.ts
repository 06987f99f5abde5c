import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import type { PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('dialogs on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  let say: Visit['say']
  const open = (path: string) => page.goto(`${house.url}${path}`)

  beforeAll(async () => {
    here = await visit(openFurnishedHouse())
    ;({ house, page, say } = here)
  })
  afterAll(() => here?.leave())

  it('shows a request that was just made in a dialog, without a reload', async () => {
    const listening = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
    await open('/dialogs?session=orchard')
    await say('Booking picking slots')
    await listening
    const line = {
      type: 'user',
      userType: 'external',
      isSidechain: false,
      cwd: house.home.project,
      sessionId: 'orchard',
      message: { role: 'user', content: 'And the price list, please.' },
      uuid: 'u99',
      timestamp: new Date().toISOString(),
    }
    appendFileSync(join(house.home.claudeFolder(), 'orchard.jsonl'), `${JSON.stringify(line)}\n`)
    await say('And the price list, please.')
  })

  it('shows the answer under its request, folds a long one and shows a later one without a reload', async () => {
    await open('/dialogs?session=orchard')
    const answerTo = (index: number) =>
      page.getByLabel(`Answer to request ${index}`, { exact: true })
    await answerTo(1).locator('strong', { hasText: 'at most six pickers' }).waitFor()
    await answerTo(2).getByRole('cell', { name: 'Hillside' }).waitFor()
    const long = answerTo(4)
    const height = async () => (await long.boundingBox())?.height ?? 0
    await long.getByRole('button', { name: /^Show all/ }).click()
    await long.getByRole('button', { name: 'Show less' }).waitFor()
    const unfolded = await height()
    await long.getByRole('button', { name: 'Show less' }).click()
    await long.getByRole('button', { name: /^Show all/ }).waitFor()
    expect(await height()).toBeLessThan(unfolded)
    const line = {
      type: 'assistant',
      sessionId: 'orchard',
      message: {
        id: 'm99',
        role: 'assistant',
        content: [{ type: 'text', text: 'The prices are in.' }],
        stop_reason: 'end_turn',
      },
      uuid: 'a99',
      timestamp: new Date().toISOString(),
    }
    appendFileSync(join(house.home.claudeFolder(), 'orchard.jsonl'), `${JSON.stringify(line)}\n`)
    await answerTo(6).getByText('The prices are in.').waitFor()
  })

  it('finds words in requests and answers of the dialog, and Escape leaves', async () => {
    await open('/dialogs?session=orchard')
    const field = page.getByLabel('Find in this dialog')
    await field.fill('telephone list')
    const hits = page.locator('.dialog-hits > li')
    await hits.nth(1).waitFor()
    expect(await hits.allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Request 1 .*telephone list/),
        expect.stringMatching(/^Answer to request 1 .*telephone list/),
      ]),
    )
    await hits.first().locator('mark', { hasText: 'telephone' }).waitFor()
    await expectGoodViews(page, 'find-in-dialog')
    await field.fill('nobody typed this')
    await page.getByText('Not found').waitFor()
    await field.press('Escape')
    await hits.first().waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('')
  })

  it('brings the request that the address names into view, also once the answers above it have come', async () => {
    await page.setViewportSize({ width: 1280, height: 500 })
    await open('/dialogs?session=orchard&at=5')
    await page.getByLabel('Answer to request 5', { exact: true }).waitFor()
    const top = () =>
      page.locator('#request-5').evaluate((item) => Math.round(item.getBoundingClientRect().top))
    await expect.poll(top).toBeLessThan(500)
    expect(await top()).toBeGreaterThan(0)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('makes a task of a request, and each names the other', async () => {
    await open('/dialogs?session=parser')
    await page.locator('#request-2').getByRole('button', { name: 'Make a task' }).click()
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.locator('#request-2').getByText('Report every bad row').nth(1).waitFor()
    await open('/tasks')
    await page
      .locator('.row', { hasText: 'Good. Report every bad row' })
      .getByRole('link', { name: 'from request 2' })
      .click()
    await say('Harvest import')
    expect(page.url()).toContain('session=parser')
  })

  it('filters dialogs by agent, project and time', async () => {
    await open('/dialogs')
    await say('8 dialogs')
    await page.getByLabel('Agent').selectOption('claude-code')
    await say('3 dialogs')
    await page.getByLabel('Time').selectOption('day')
    await say('1 dialog,')
    await page.getByLabel('Agent').selectOption('codex')
    await say('No dialogs match these filters')
  })
})
