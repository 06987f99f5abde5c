import { DatabaseSync } from '@photostructure/sqlite'
import { bucketOf } from '@secretary-mcp/core/calls.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import type { PageHouse } from '../support/page-house.ts'

interface Stats {
  readonly tools: readonly { tool: string; calls: number; pageCalls: number }[]
}
interface Label {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly width: number
}

/** Remembers what is written on every canvas, and where. */
const WATCH_LABELS = `{
  window.labels = []
  const write = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const wide = this.measureText(text).width
    const shift = { center: wide / 2, right: wide, end: wide }[this.textAlign] ?? 0
    const at = this.getTransform().transformPoint({ x: x - shift, y })
    window.labels.push({ text, left: at.x, right: at.x + wide, width: this.canvas.width })
    return write.call(this, text, x, y, ...rest)
  }
}`

describe('figures on the page', () => {
  let house: PageHouse
  let browser: Browser
  let page: Page
  const stats = async (tool: string) =>
    (await house.api<Stats>('GET', '/api/v1/stats')).tools.find((one) => one.tool === tool)
  const calls = () =>
    page
      .locator('.figures div', { hasText: /^Calls\d/ })
      .locator('dd')
      .textContent()
  const labels = () => page.evaluate<Label[]>('window.labels.splice(0)')

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([openFurnishedHouse(), launchBrowser()])
    const database = new DatabaseSync(house.home.path('.secretary', 'secretary.db'), {
      timeout: 60_000,
    })
    const hour = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 13)
    const add = database.prepare(
      "insert into tool_tallies (tool, user_id, hour, key, count) values (?, 'ada', ?, ?, ?)",
    )
    add.run('read_file', hour, 'ok', 5000)
    add.run('read_file', hour, `bucket:${bucketOf(12_000)}`, 5000)
    database.close()
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await page.addInitScript(WATCH_LABELS)
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('are those of the range that the axis shows, in the list and for one tool', async () => {
    await page.goto(`${house.url}/tools?name=read_file`)
    await page.getByText('Last day', { exact: true }).waitFor()
    const ofDay = Number((await calls())?.replace(/\D/g, ''))
    expect(ofDay).toBeGreaterThan(0)
    expect(ofDay).toBeLessThan(5000)
    await expect
      .poll(async () => (await labels()).some(({ text }) => /^\d\d:\d\d$/.test(text)))
      .toBe(true)
    await page.getByLabel('Week').check()
    await page.getByText('Last 7 days', { exact: true }).waitFor()
    await expect.poll(async () => Number((await calls())?.replace(/\D/g, ''))).toBe(ofDay + 5000)
    expect(page.url()).toContain('range=week')
    await page.locator('.crumb a').click()
    await page
      .getByRole('row', { name: /^read_file/ })
      .getByText((ofDay + 5000).toLocaleString('en'))
      .waitFor()
  })

  it.each([1280, 700, 390])('have whole labels with their unit at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 860 })
    for (const range of ['day', 'week', 'month']) {
      await page.goto(`${house.url}/tools?name=read_file&range=${range}`)
      await page.locator('.plot canvas').nth(1).waitFor()
      const written = await labels()
      expect(written.length).toBeGreaterThan(6)
      const cut = written.filter(({ left, right, width }) => left < 0 || right > width)
      expect(cut, range).toEqual([])
      expect(written.some(({ text }) => / ms$/.test(text))).toBe(true)
    }
  })

  it('count what the page calls apart from what agents call', async () => {
    const path = 'src/slots/book-slot.ts'
    await house.tool('read_file', { path })
    const before = await stats('read_file')
    await page.goto(`${house.url}/file?path=${encodeURIComponent(path)}`)
    await page.locator('.source-line').first().waitFor()
    await expect
      .poll(async () => (await stats('read_file'))?.pageCalls)
      .toBeGreaterThan(before?.pageCalls ?? 0)
    expect((await stats('read_file'))?.calls).toBe(before?.calls)
  })
})
