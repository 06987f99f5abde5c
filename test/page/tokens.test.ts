import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLivedHouse } from '../support/lived-house.ts'
import { binary } from '../support/mcp-client.ts'
import type { PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('tokens and cost', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const row = (name: RegExp) => page.locator('.tokens-table').getByRole('row', { name })

  beforeAll(async () => {
    here = await visit(openLivedHouse())
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it('counts each answer once, by agent and by day, without inventing a price', async () => {
    await page.goto(`${house.url}/usage?by=agent`)
    await row(/claude-opus-4-5/).waitFor()
    // Five answers, each written on two lines.
    expect(await row(/claude-opus-4-5/).textContent()).toMatch(
      /claude-opus-4-5.*5.*6,000.*210,000.*4,000.*no price/,
    )
    await page.getByLabel('Day', { exact: true }).last().check()
    await page.getByRole('columnheader', { name: 'Day' }).first().waitFor()
    expect(await row(/^All/).textContent()).toMatch(/5.*6,000/)
  })

  it('costs what the person says it costs, on the page, in the dialog and on the command line', async () => {
    await page.goto(`${house.url}/usage?by=agent`)
    await page.getByText('Prices', { exact: true }).click()
    const price = page.getByRole('group', { name: 'claude-opus-4-5' })
    await price.getByLabel('In').fill('5')
    await price.getByLabel('Cache read').fill('0.5')
    await price.getByLabel('Cache write').fill('6.25')
    await price.getByLabel('Out').fill('25')
    await page.getByRole('button', { name: 'Save prices' }).click()
    // 6,000 in, 200,000 read, 10,000 written, 4,000 out.
    await row(/claude-opus-4-5/)
      .getByText('0.29 USD')
      .waitFor()
    await expectGoodViews(page, 'usage')
    await page.goto(`${house.url}/dialogs?session=tax`)
    await page.getByText('3.6K in, 126K cached, 2.4K out, 0.18 USD').waitFor()
    await page.locator('#request-2').getByText('1.2K in, 42K cached, 800 out').waitFor()
    await expectGoodViews(page, 'dialog-tokens')
    const told = execFileSync(process.execPath, [binary, 'usage', '--json'], {
      env: { PATH: process.env.PATH, ...house.home.env, SECRETARY_USER: 'ada' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { rows } = JSON.parse(told) as { rows: { answers: number; cost: number }[] }
    const sum = (of: 'answers' | 'cost') => rows.reduce((all, one) => all + one[of], 0)
    expect(sum('answers')).toBe(5)
    expect(sum('cost')).toBeCloseTo(0.2925)
  })
})
