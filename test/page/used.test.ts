import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectStdio } from '../support/mcp-client.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

/** Of the day before: two requests after it are of one day, whenever this runs. */
const NOON = new Date().setHours(12, 0, 0, 0) - 86_400_000
const SECRET = 'sk-ant-abcdefghijklmnopqrstuvwxyz'

describe('what agents called, on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page

  beforeAll(async () => {
    here = await visit(
      openHouse((home) => {
        writeProjectFile(home, 'secret-plan.md', 'Nobody may keep this line.\n')
        keepDialog(home, 'yesterday', ['Plant a plum.', 'Water it.'], NOON)
        keepDialog(home, 'before', ['Prune it.'], NOON - 40 * 86_400_000)
      }),
    )
    ;({ house, page } = here)
    const agent = await connectStdio({ env: house.home.env })
    await agent.call('add_task', { title: `Rotate ${SECRET}` })
    await agent.attempt('complete_task', { task_id: 999 })
    await agent.call('read_file', { path: 'secret-plan.md' })
    await agent.close()
  })
  afterAll(() => here?.leave())

  it('is summed for each day, agent, tool and project, and sorted by any column', async () => {
    await page.goto(`${house.url}/usage`)
    const today = new Date().toISOString().slice(0, 10)
    await page.getByRole('row', { name: new RegExp(`^${today}.* 3 .*1`) }).waitFor()
    await page.getByLabel('Tool', { exact: true }).check()
    await page.getByRole('row', { name: /^read_file/ }).waitFor()
    expect(await page.getByRole('row', { name: /^read_file/ }).textContent()).toMatch(/\d m?s/)
    await page.getByRole('button', { name: 'Failed' }).click()
    expect(page.url()).toContain('sort=-failed')
    expect(await page.getByRole('row').nth(1).textContent()).toContain('complete_task')
    await expectGoodViews(page, 'figures')
    await page.getByLabel('Project', { exact: true }).check()
    await page.getByRole('row', { name: new RegExp(house.home.project) }).waitFor()
    await page.getByLabel('Week').check()
    expect(page.url()).toContain('range=week')
  })

  it('is listed call by call, without secrets and without the contents of files', async () => {
    await page.goto(`${house.url}/usage`)
    const calls = page.locator('.calls > li')
    await calls.nth(2).waitFor()
    expect(await calls.count()).toBe(3)
    await calls.filter({ hasText: 'add_task' }).locator('summary').click()
    await page.getByText('Rotate [redacted').first().waitFor()
    await calls.filter({ hasText: 'read_file' }).locator('summary').click()
    await page.getByText('The answer is not kept').waitFor()
    const text = await page.locator('main').textContent()
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('Nobody may keep this line')
    await page.setViewportSize({ width: 390, height: 860 })
    const overhangs = await calls.evaluateAll((rows) =>
      rows.map((row) => {
        const [all, side] = [row, row.querySelector('.call-side')].map((one) =>
          one?.getBoundingClientRect(),
        )
        return (side?.bottom ?? 0) - (all?.bottom ?? 0)
      }),
    )
    expect(Math.max(...overhangs)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByLabel('Failed only').check()
    await expect.poll(() => calls.count()).toBe(1)
    await calls.getByText('not_found').waitFor()
    await page.getByLabel('Failed only').uncheck()
    await page.goto(`${house.url}/file?path=secret-plan.md`)
    await page.locator('.source-line').first().waitFor()
    await page.goto(`${house.url}/usage`)
    await calls.first().waitFor()
    await page.getByLabel('Only calls from this page').check()
    await calls.filter({ hasText: 'read_file' }).first().waitFor()
  })

  it('has the year of requests, which can be taken along as a picture', async () => {
    await page.goto(`${house.url}/usage`)
    await page.getByRole('img', { name: '3 requests in the last year' }).waitFor()
    expect(await page.locator('.heat-map rect[data-level="4"]').count()).toBe(1)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.locator('.heat-map rect').last().waitFor()
    const isLatestSeen = `(() => {
      const days = [...document.querySelectorAll('.heat-map rect')]
      return days.at(-1).getBoundingClientRect().right <= innerWidth
    })()`
    expect(await page.evaluate(isLatestSeen)).toBe(true)
    await page.setViewportSize({ width: 1280, height: 860 })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as SVG' }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    expect(text).toMatch(/^<svg xmlns=.*: 2<\/title>/s)
  })
})
