import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { keepDialog, openHouse, type PageHouse } from '../support/page-house.ts'
import { type PathProxy, startPathProxy } from '../support/path-proxy.ts'

const PATH = '/proxy/7077/'

describe('the page below a path of a proxy', () => {
  let house: PageHouse
  let proxy: PathProxy
  let browser: Browser
  let page: Page
  const strays: string[] = []

  beforeAll(async () => {
    house = await openHouse((home) =>
      keepDialog(home, 'one', ['Serve it below a path'], Date.now() - 60_000),
    )
    ;[proxy, browser] = await Promise.all([startPathProxy(house.url, PATH), launchBrowser()])
    page = await browser.newPage({ reducedMotion: 'reduce' })
    page.on('response', (response) => {
      const { protocol, pathname } = new URL(response.url())
      if (protocol !== 'data:' && (!pathname.startsWith(PATH) || !response.ok()))
        strays.push(`${response.status()} ${pathname}`)
    })
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.stop()
    await house?.stop()
  })

  it('walks from page to page without leaving the path, and each address can be loaded again', async () => {
    await page.goto(proxy.url)
    await page.getByText('Serve it below a path').first().waitFor()
    for (const [name, path] of [
      ['Dialogs', 'dialogs'],
      ['Tasks', 'tasks'],
      ['Rules', 'guide'],
      ['Usage', 'usage'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${PATH}${path}`)
      await page.reload()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.getByRole('link', { name: 'Secretary' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    expect(page.url()).toBe(proxy.url)
    expect(strays).toEqual([])
  })

  it('opens a dialog by its address, goes by keys, goes back, and knows a place that is deeper', async () => {
    await page.goto(`${proxy.url}dialogs?session=one`)
    await page.locator('#request-1', { hasText: 'Serve it below a path' }).waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('New task').waitFor()
    expect(new URL(page.url()).pathname).toBe(`${PATH}tasks`)
    await page.goBack()
    await page.locator('#request-1').waitFor()
    await page.goto(`${proxy.url}tasks/`)
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    expect(strays).toEqual([])
  })

  it('hears of what changes, because the stream of events comes through too', async () => {
    const listening = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
    await page.goto(`${proxy.url}tasks`)
    await listening
    await house.api('POST', '/api/v1/tasks', { title: 'From elsewhere' })
    await page.getByText('From elsewhere').first().waitFor()
    expect(strays).toEqual([])
  })
})
