import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import type { PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('one search for all', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const palette = () => page.getByRole('dialog', { name: 'Search everything' })
  const box = () => page.getByRole('combobox', { name: 'Search everything' })
  const group = (name: string) => palette().getByRole('group', { name })

  beforeAll(async () => {
    here = await visit(openFurnishedHouse())
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it('has an index to search', async () => {
    // Until the index is there, answers, decisions and code cannot be found.
    await expect
      .poll(
        async () => {
          const { results = [] } = await house.tool('context_search', { query: 'picking slot' })
          return (results as { source: string }[]).map(({ source }) => source)
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toContain('session')
  })

  it('opens with Ctrl-K from any view, also out of a field, and finds things of every kind', async () => {
    await page.goto(`${house.url}/tasks`)
    await page.locator('#new-task').focus()
    await page.keyboard.press('Control+k')
    await box().fill('slot')
    for (const name of ['Requests', 'Answers', 'Decisions', 'Tasks', 'Files', 'Symbols'])
      await group(name).getByRole('option').first().waitFor()
    await group('Requests').locator('mark', { hasText: 'slot' }).first().waitFor()
    await group('Symbols').getByText('bookSlot').first().waitFor()
    await group('Files').getByText('src/slots/book-slot.ts').waitFor()
    await palette().getByText('The word is in the request').first().waitFor()
    await group('Requests').getByText('in Booking picking slots').first().waitFor()
    await expectGoodViews(page, 'palette')
  })

  it('goes by arrows and Enter, and remembers what was opened', async () => {
    await page.goto(house.url)
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    await page.keyboard.press('/')
    await box().fill('tests')
    await group('Commands').getByText('npm test').first().waitFor()
    await box().fill('list_tasks')
    await group('Tools').getByText('list_tasks').first().waitFor()
    const chosen = palette().locator('[aria-selected="true"]')
    for (let step = 0; step < 20; step++) {
      if ((await chosen.textContent())?.startsWith('list_tasks')) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'list_tasks' }).waitFor()
    await palette().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await group('Opened lately').getByText('list_tasks').waitFor()
    await box().fill('slot')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
  })

  it('is narrowed by agent, project, time and file', async () => {
    await page.goto(house.url)
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await box().fill('slots agent:codex')
    await palette().getByText('Nothing found for “slots agent:codex”').waitFor()
    await box().fill('slots agent:claude file:book-slot')
    await group('Requests').getByText('slots').first().waitFor()
    expect(await group('Tasks').count()).toBe(0)
    await box().fill('rota after:1d')
    await expect.poll(() => group('Requests').count()).toBe(0)
    await box().fill('rota after:30d')
    await group('Requests').getByText('rota').first().waitFor()
    await box().fill('')
    await palette().getByRole('button', { name: 'project:' }).click()
    expect(await box().inputValue()).toBe('project:')
  })

  it('shows all results on a page, each with the reason why it is there', async () => {
    await page.goto(`${house.url}/search?by=all&q=confirmation+mail`)
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    await page
      .getByText(/All words are in/)
      .first()
      .waitFor()
    await expectGoodViews(page, 'everything')
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    await chip('Tasks').click()
    await page.getByRole('heading', { name: 'Requests' }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await chip('All kinds').click()
    await chip('Codex').click()
    await expect.poll(() => page.url()).toContain('agent%3Acodex')
    await page.getByText('Nothing found for').waitFor()
    await chip('Codex').click()
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    await page
      .getByRole('link', { name: /src\/mail\/confirmation\.ts/ })
      .first()
      .click()
    await page.locator('.source-line', { hasText: 'confirmation' }).first().waitFor()
    await page.goto(`${house.url}/search?by=all&q=zebrafish+quixotry`)
    await page.getByText('Nothing found for “zebrafish quixotry”').waitFor()
  })
})
