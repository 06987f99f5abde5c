import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import type { PageHouse } from '../support/page-house.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `SECRETARY_PICTURES=1 npx vitest run test/page` renews the pictures that the README shows. */
const pictures = process.env.SECRETARY_PICTURES ? new URL('../../docs/pictures', import.meta.url).pathname : temporaryFolder()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Stop {
  readonly name: string
  readonly path: string
  /** Words that are on screen once the page has its data. */
  readonly shows: readonly string[]
}

const STOPS: readonly Stop[] = [
  { name: 'today', path: '/', shows: ['Open tasks', 'Write the confirmation mail', 'tell me what is still open', 'database'] },
  { name: 'dialogs', path: '/dialogs', shows: ['Booking picking slots', 'Claude Code', 'dialogs, latest first'] },
  {
    name: 'dialog',
    path: '/dialogs?session=orchard&at=3',
    shows: ['Let growers book a picking slot', 'night of 29 March', 'Task #3'],
  },
  { name: 'request-search', path: '/dialogs?q=daylight', shows: ['daylight saving', 'Request 2'] },
  { name: 'tasks', path: '/tasks', shows: ['Turn the telephone list off', 'newest first'] },
  { name: 'board', path: '/tasks?view=board', shows: ['Show the slots of a week', 'Reopen', 'Write the confirmation mail'] },
  { name: 'search', path: '/search?q=book+a+picking+slot', shows: ['book-slot.ts', 'Why it ranks here'] },
  { name: 'search-text', path: '/search?q=MOST_PICKERS&by=text', shows: ['src/slots/book-slot.ts:4'] },
  { name: 'file', path: '/file?path=src%2Fslots%2Fbook-slot.ts&line=7', shows: ['export function bookSlot', 'MOST_PICKERS'] },
  { name: 'guide', path: '/guide', shows: ['Collections', 'season', 'this project', 'all projects'] },
  { name: 'guide-document', path: '/guide?document=guide%3A%2F%2Flang%2Ftypescript.md', shows: ['lang/typescript.md'] },
  { name: 'tools', path: '/tools', shows: ['add_task', 'tokens in the full profile', 'Calls by the hour'] },
  { name: 'tool', path: '/tools?name=list_tasks', shows: ['Try it', 'As clients see it'] },
  { name: 'chat', path: '/chat', shows: ['New conversation', 'What is left to do?'] },
]
const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 390, height: 844 }

describe('the page, walked through with data of every family', () => {
  let house: PageHouse
  let browser: Browser
  const problems: string[] = []

  async function newPage(scheme: 'light' | 'dark', viewport: typeof WIDE): Promise<Page> {
    const page = await browser.newPage({ colorScheme: scheme, viewport, reducedMotion: 'reduce' })
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== house.url) problems.push(`a request left the machine: ${request.url()}`)
    })
    return page
  }

  async function visit(page: Page, { path, shows }: Stop): Promise<void> {
    await page.goto(`${house.url}${path}`)
    for (const words of shows) await page.getByText(words).first().waitFor({ timeout: 8_000 })
  }

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    ;[house, browser] = await Promise.all([openFurnishedHouse(), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('shows every page on a wide light screen, with nothing that axe calls serious', async () => {
    const page = await newPage('light', WIDE)
    const found: string[] = []
    for (const stop of STOPS) {
      await visit(page, stop)
      await page.screenshot({ path: join(pictures, `page-${stop.name}.png`) })
      found.push(...(await serious(page, stop.name)))
    }
    await page.close()
    expect(found).toEqual([])
    expect(problems).toEqual([])
  })

  it('shows every page on a narrow dark screen without a sideways scroll, with nothing that axe calls serious', async () => {
    const page = await newPage('dark', NARROW)
    const found: string[] = []
    for (const stop of STOPS) {
      await visit(page, stop)
      await page.screenshot({ path: join(pictures, `page-${stop.name}-narrow-dark.png`) })
      const overhang = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (overhang > 0) found.push(`${stop.name} is ${overhang} px too wide`)
      found.push(...(await serious(page, stop.name)))
    }
    await page.close()
    expect(found).toEqual([])
    expect(problems).toEqual([])
  })

  it('shows the pages in the other theme of each width', async () => {
    for (const [scheme, viewport, tail] of [
      ['dark', WIDE, 'dark'],
      ['light', NARROW, 'narrow'],
    ] as const) {
      const page = await newPage(scheme, viewport)
      for (const stop of STOPS.filter(({ name }) => ['today', 'dialog', 'board', 'search', 'tools', 'chat'].includes(name))) {
        await visit(page, stop)
        await page.screenshot({ path: join(pictures, `page-${stop.name}-${tail}.png`) })
      }
      await page.close()
    }
    expect(problems).toEqual([])
  })

  async function serious(page: Page, name: string): Promise<string[]> {
    // Evaluated by the debugger, so the page's own policy stays as it is.
    await page.evaluate(axe)
    const violations = await page.evaluate<{ id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]>(
      'axe.run().then(({ violations }) => violations)',
    )
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${name}: ${id} ${html} ${failureSummary}`))
  }
})
