import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindings } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { watchAnswers } from '../support/declared-answers.ts'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import { overhangs } from '../support/overhang.ts'
import type { PageHouse } from '../support/page-house.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `SECRETARY_PICTURES=1 npx vitest run test/page` renews the pictures that the README shows. */
const pictures = temporaryFolder()
const kept = new URL('../../docs/pictures', import.meta.url).pathname
const KEPT = [
  'today',
  'dialog',
  'file',
  'search',
  'figures-dark',
  'board-dark',
  'tools-dark',
  'chat',
  'tasks-narrow',
]

interface Stop {
  readonly name: string
  readonly path: string
  /** Words that are on screen once the page has its data. */
  readonly shows: readonly string[]
  /** What is pressed before a picture is taken. */
  readonly press?: string
  /** What comes a moment later, such as colours of code. */
  readonly waitsFor?: string
}

const STOPS: readonly Stop[] = [
  {
    name: 'today',
    path: '/',
    shows: ['Open tasks', 'Write the confirmation mail', 'tell me what is still open', 'database'],
  },
  {
    name: 'dialogs',
    path: '/dialogs',
    shows: ['Booking picking slots', 'Claude Code', 'dialogs, latest first'],
  },
  {
    name: 'dialog',
    path: '/dialogs?session=orchard&at=1',
    press: '#request-1 .deeds > summary',
    waitsFor: '#request-1 [aria-label="Commands"] li',
    shows: ['Let growers book a picking slot', 'night of 29 March', 'Task #3', 'Show all'],
  },
  { name: 'request-search', path: '/dialogs?q=daylight', shows: ['daylight saving', 'Request 2'] },
  { name: 'tasks', path: '/tasks', shows: ['Turn the telephone list off', 'newest first'] },
  {
    name: 'board',
    path: '/tasks?view=board',
    shows: ['Show the slots of a week', 'Reopen', 'Write the confirmation mail'],
  },
  {
    name: 'search-meaning',
    path: '/search?q=book+a+picking+slot',
    shows: ['book-slot.ts', 'Why it ranks here'],
    waitsFor: '.code-word',
  },
  {
    name: 'search',
    path: '/search?by=all&q=slot',
    shows: ['Requests', 'Symbols', 'The word is in'],
  },
  {
    name: 'search-text',
    path: '/search?q=MAX_PICKERS&by=text',
    shows: ['src/slots/book-slot.ts:4'],
  },
  {
    name: 'file',
    path: '/file?path=src%2Fslots%2Fbook-slot.ts&line=7',
    shows: ['bookSlot', 'MAX_PICKERS'],
    waitsFor: '.request-behind',
  },
  {
    name: 'guide',
    path: '/guide',
    shows: ['Collections', 'season', 'this project', 'all projects'],
  },
  {
    name: 'guide-document',
    path: '/guide?document=guide%3A%2F%2Flang%2Ftypescript.md',
    shows: ['lang/typescript.md'],
  },
  {
    name: 'tools',
    path: '/tools',
    shows: ['add_task', 'tokens in the full profile', 'Calls per hour'],
  },
  {
    name: 'figures',
    path: '/usage?by=tool',
    shows: ['list_tasks', 'Requests in the past year', 'Last calls'],
  },
  { name: 'tool', path: '/tools?name=list_tasks', shows: ['Try it', 'As clients see it'] },
  {
    name: 'chat',
    path: '/chat',
    shows: ['New conversation', 'What is left to do?'],
    press: '.conversations li a',
    waitsFor: '.message[data-sender="ai"]',
  },
  { name: 'suggestions', path: '/suggestions', shows: ['Agents see only those that you confirm'] },
  { name: 'team', path: '/team', shows: ['Spaces', 'everyone on this server', 'New space'] },
  { name: 'new-chat', path: '/chat', shows: ['Ask about your tasks'] },
]
/** What a theme and a width can change. */
const LOOKS = {
  runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size', 'link-in-text-block'],
}
/** Tables that have to be scrolled sideways, and texts that are squeezed into a column of letters. */
const SIDEWAYS = `(() => {
  const tables = [...document.querySelectorAll('main .table-scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1)
  const thin = [...document.querySelectorAll('main :is(td, th, p, a)')].filter((one) => {
    const { width, height } = one.getBoundingClientRect()
    return width > 0 && width < 40 && height > 60 && one.textContent.trim().length > 5
  })
  return [...tables, ...thin].map((one) => one.tagName + ' ' + one.textContent.trim().slice(0, 40))
})()`
const WIDE = { width: 1280, height: 860 }
const MIDDLE = { width: 820, height: 1180 }
const NARROW = { width: 390, height: 844 }

describe('the page, walked through with data of every family', () => {
  let house: PageHouse
  let browser: Browser
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([openFurnishedHouse(), launchBrowser()])
    page = await browser.newPage({ reducedMotion: 'reduce' })
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
    watchAnswers(page, problems)
    page.on(
      'console',
      (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`),
    )
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== house.url)
        problems.push(`a request left the machine: ${request.url()}`)
    })
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it.each(STOPS)(
    'shows $name in both themes, at three widths, with nothing that axe calls serious',
    async (stop) => {
      await page.setViewportSize(WIDE)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${house.url}${stop.path}`)
      for (const words of stop.shows)
        await page.getByText(words).filter({ visible: true }).first().waitFor()
      if (stop.press) await page.locator(stop.press).first().click()
      if (stop.waitsFor) await page.locator(stop.waitsFor).first().waitFor()
      await picture(stop.name)
      expect(await seriousFindings(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(`${stop.name}-dark`)
      expect(await overhangs(page)).toEqual([])
      for (const size of [MIDDLE, NARROW]) {
        await page.setViewportSize(size)
        expect(await seriousFindings(page, LOOKS)).toEqual([])
        expect(await overhangs(page)).toEqual([])
      }
      expect(await page.evaluate<string[]>(SIDEWAYS), 'on a phone').toEqual([])
      await picture(`${stop.name}-narrow-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
      await picture(`${stop.name}-narrow`)
      expect(problems).toEqual([])
    },
  )

  it('has five places, and those that only some need when they are needed', async () => {
    await page.setViewportSize(WIDE)
    await page.goto(`${house.url}/`)
    const menu = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await menu.first().waitFor()
    expect(await menu.allTextContents()).toEqual(['Today', 'Dialogs', 'Tasks', 'Rules', 'Usage'])
    expect(await page.getByRole('link', { name: 'Team', exact: true }).count()).toBe(0)
    await house.api('POST', '/api/v1/spaces', { name: 'Growers' })
    await page.reload()
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  })

  it('opens the menu on a narrow screen, and keeps the theme that was chosen', async () => {
    await page.setViewportSize(NARROW)
    await page.goto(`${house.url}/`)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByLabel('Theme').selectOption('dark')
    await picture('menu-narrow')
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByText('newest first').waitFor()
    await page.reload()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.evaluate('localStorage.clear()')
  })

  async function picture(name: string): Promise<void> {
    const folder = process.env.SECRETARY_PICTURES && KEPT.includes(name) ? kept : pictures
    await page.screenshot({ path: join(folder, `page-${name}.png`) })
  }
})
