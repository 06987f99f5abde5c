import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import { connectStdio } from '../support/mcp-client.ts'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

const VIEWS = ['/', '/dialogs', '/tasks', '/search', '/guide', '/tools', '/usage', '/chat', '/team']
const PHONE = { width: 390, height: 844 }

describe('flows through the whole page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const palette = () => page.getByRole('dialog', { name: 'Search' })
  const box = () => palette().getByRole('combobox')
  const group = (name: string) => palette().getByRole('group', { name })

  beforeAll(async () => {
    here = await visit(openFurnishedHouse())
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it.each(VIEWS)('has the menu of %s on a phone, and shows where the focus is', async (path) => {
    await page.setViewportSize(PHONE)
    await open(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Usage', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const ring = `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' || s.boxShadow !== 'none' })()`
    expect(await page.evaluate<boolean>(ring)).toBe(true)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it.each(['/dialogs', '/tasks'])('keeps the dates of %s on a phone', async (path) => {
    await page.setViewportSize(PHONE)
    await open(path)
    await page.locator('.virtual-row time').first().waitFor()
    expect(await page.locator('.virtual-row time').first().isVisible()).toBe(true)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it('says on a phone too which request a part of a file came from, and leads to it', async () => {
    await page.setViewportSize(PHONE)
    await open('/file?path=src%2Fslots%2Fbook-slot.ts')
    const behind = page.locator('.request-behind').first()
    await behind.waitFor()
    const { x = 0, width = 0 } = (await behind.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(PHONE.width)
    await behind.click()
    await page.getByRole('heading', { name: 'Booking picking slots' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it('shows the lines of a hit below each other, those that match marked', async () => {
    await open('/search?q=book+a+picking+slot')
    const lines = page.locator('pre .marked-line')
    await lines.nth(1).waitFor()
    const places = await lines.evaluateAll((all) =>
      all.map((one) => {
        const { left, top } = one.getBoundingClientRect()
        const box = one.closest('pre')?.getBoundingClientRect()
        return { indent: Math.round(left - (box?.left ?? 0)), top: Math.round(top) }
      }),
    )
    expect(new Set(places.map(({ indent }) => indent)).size).toBe(1)
    expect(new Set(places.map(({ top }) => top)).size).toBe(places.length)
  })

  it('finds documents, and keeps a filter while more is typed', async () => {
    await open('/')
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await box().fill('typescript')
    await group('Documents').getByText('lang/typescript.md').first().waitFor()
    await box().fill('slots')
    await palette().getByRole('button', { name: 'agent:' }).click()
    expect(await box().inputValue()).toMatch(/slots agent:$/)
    await page.keyboard.type('claude ')
    await group('Requests').getByText('slots').first().waitFor()
    await page.keyboard.type('week')
    expect(await box().inputValue()).toBe('slots agent:claude week')
    await box().fill('slots project:nowhere')
    await palette().getByText('Nothing found for “slots project:nowhere”').waitFor()
    const name = house.home.project.split('/').at(-1)
    await box().fill(`slots project:${name}`)
    await group('Requests').getByText('slots').first().waitFor()
    await page.keyboard.press('Escape')
  })

  it('sums figures for each agent, and lists the calls of one session', async () => {
    const agent = await connectStdio({ env: house.home.env })
    await agent.call('list_tasks', {})
    await agent.close()
    await open('/usage?by=agent')
    await page.getByRole('row').nth(1).waitFor()
    await expectGoodViews(page, 'figures-by-agent')
    const calls = page.locator('.calls > li')
    const ofSession = calls.filter({ has: page.locator('summary', { hasText: 'list_tasks' }) })
    await ofSession.first().locator('summary').click()
    await ofSession.first().getByRole('button', { name: 'Only this session' }).click()
    await page.getByRole('button', { name: /^Session .* ×$/ }).waitFor()
    expect(page.url()).toContain('session=')
    await expectGoodViews(page, 'calls-of-session')
    await page.getByRole('button', { name: /^Session .* ×$/ }).click()
    await expect.poll(() => page.url()).not.toMatch(/session=./)
  })

  it('filters tasks by project', async () => {
    await open('/tasks?status=all')
    await page.getByRole('combobox', { name: /^Project/ }).selectOption({ label: 'This project' })
    await page.waitForURL(/project=/)
    await page.getByText(/\d tasks?, /).waitFor()
    await expectGoodViews(page, 'tasks-of-project')
  })

  it('says how a dialog goes on, at any width', async () => {
    await open('/dialogs?session=orchard')
    await page.getByRole('button', { name: 'Resume in Claude Code' }).waitFor()
    await expectGoodViews(page, 'resume')
  })
})

describe.each([
  ['cursor', 'Open in Cursor', /^cursor:\/\/file\/.*\/a\.ts:1$/],
  ['idea', 'Open in IntelliJ IDEA', /^idea:\/\/open\?file=.*a\.ts&line=1$/],
  ['none', undefined, /./],
] as const)('a file on the page of a person whose editor is %s', (editor, link, address) => {
  it('leads there', async () => {
    const here = await visit(
      openHouse((home) => writeProjectFile(home, 'a.ts', 'export const a = 1\n'), {
        env: { SECRETARY_EDITOR: editor },
      }),
    )
    await here.page.goto(`${here.house.url}/file?path=a.ts`)
    await here.page.locator('.source-line', { hasText: 'export' }).waitFor()
    const links = here.page.getByRole('link', { name: /^Open in/ })
    if (link === undefined) expect(await links.count()).toBe(0)
    else {
      expect(await links.textContent()).toBe(link)
      expect(await links.getAttribute('href')).toMatch(address)
    }
    await here.leave()
  })
})
