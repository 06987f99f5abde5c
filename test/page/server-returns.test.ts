import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { startHttpServer } from '../support/mcp-client.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'

interface View {
  readonly name: string
  /** Opened while the server is there. */
  readonly first: string
  /** Opened while it is away. */
  readonly later: string
  /** A locator: on screen only once that has been loaded. */
  readonly shows: string
}

describe('a server that goes away and comes back', () => {
  let house: PageHouse
  let browser: Browser
  let views: readonly View[]
  const open = new Map<string, Page>()

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([
      openHouse((home) => {
        keepDialog(home, 'pear', ['Plant a pear tree by the gate.'], Date.now() - 60_000)
        keepDialog(home, 'plum', ['Plant a plum tree by the wall.'], Date.now() - 30_000)
        writeProjectFile(home, 'src/pear.ts', 'export const pear = 1\n')
        writeProjectFile(home, 'src/plum.ts', 'export const plum = 2\n')
      }),
      launchBrowser(),
    ])
    await house.api('POST', '/api/v1/tasks', { title: 'Water the plum tree' })
    const { conversation_id: chat } = await house.api<{ conversation_id: string }>(
      'POST',
      '/api/v1/chat',
      { message: 'Add a task to prune the pear tree' },
    )
    views = [
      { name: 'Today', first: '/tools', later: '/', shows: 'text=Plant a plum tree by the wall.' },
      { name: 'dialogs', first: '/dialogs?q=pear', later: '/dialogs', shows: 'text=2 dialogs' },
      { name: 'a dialog', first: '/dialogs', later: '/dialogs?session=plum', shows: 'text=Resume' },
      {
        name: 'a file',
        first: '/file?path=src%2Fpear.ts',
        later: '/file?path=src%2Fplum.ts',
        shows: 'text=const plum',
      },
      {
        name: 'search',
        first: '/search?by=all&q=pear',
        later: '/search?by=all&q=plum',
        shows: 'text=src/plum.ts',
      },
      {
        name: 'exact text',
        first: '/search?by=text&q=pear',
        later: '/search?by=text&q=plum',
        shows: 'text=src/plum.ts',
      },
      {
        name: 'by meaning',
        first: '/search?q=pear',
        later: '/search?q=plum',
        shows: 'text=src/plum.ts',
      },
      {
        name: 'tasks',
        first: '/tasks?status=done',
        later: '/tasks',
        shows: 'text=Water the plum tree',
      },
      { name: 'a task', first: '/tasks?status=done', later: '/tasks/1', shows: 'text=Save' },
      {
        name: 'the board',
        first: '/tasks?status=done',
        later: '/tasks?view=board',
        shows: 'text=Water the plum tree',
      },
      { name: 'the guide', first: '/guide', later: '/guide?category=lang', shows: 'text=python' },
      {
        name: 'figures',
        first: '/tasks',
        later: '/usage',
        shows: 'text=Requests in the past year',
      },
      { name: 'tools', first: '/tasks', later: '/tools', shows: 'text=list_tasks' },
      {
        name: 'chat',
        first: '/chat',
        later: `/chat?conversation=${chat}`,
        shows: '.message',
      },
    ]
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('leaves no view behind: each that was opened meanwhile loads by itself', async () => {
    for (const { name, first } of views) {
      // Of its own: a browser opens six connections to a server, and each page holds one.
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      open.set(name, page)
      await page.goto(`${house.url}${first}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('load')
    }
    await house.stop()
    for (const { name, later, shows } of views) {
      const page = pageOf(name)
      await page.getByText('Disconnected').waitFor()
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(later)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      const away = page.getByText(/does not answer|could not be loaded|Loading/)
      await away.first().waitFor()
      expect(await page.locator(shows).filter({ visible: true }).count(), name).toBe(0)
    }
    const { port } = new URL(house.url)
    const again = await startHttpServer({
      env: { ...house.home.env, SECRETARY_RATE_LIMITS: 'off', SECRETARY_AUTH: 'off' },
      args: ['--port', port],
    })
    house = { ...house, stop: () => again.stop() }
    for (const { name, shows } of views) {
      const page = pageOf(name)
      await page.locator(shows).filter({ visible: true }).first().waitFor()
      await page.getByText('Disconnected').waitFor({ state: 'detached' })
      await page.getByText(/does not answer|could not be loaded/).waitFor({ state: 'detached' })
    }
  })

  it('and is listened to again', async () => {
    await house.api('POST', '/api/v1/tasks', { title: 'Rake the leaves' })
    for (const name of ['tasks', 'the board', 'Today'])
      await pageOf(name).getByText('Rake the leaves').first().waitFor()
  })

  function pageOf(name: string): Page {
    const page = open.get(name)
    if (!page) throw new Error(`${name} was not opened`)
    return page
  }
})
