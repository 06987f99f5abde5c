import { execFileSync } from 'node:child_process'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { binary, startHttpServer } from '../support/mcp-client.ts'
import { openHouse, type PageHouse } from '../support/page-house.ts'

describe('a page that stays open', () => {
  let house: PageHouse
  let browser: Browser
  let context: BrowserContext
  const say = (page: Page, words: string) =>
    page.getByText(words).filter({ visible: true }).first().waitFor()
  const secretary = (...args: string[]) =>
    execFileSync(process.execPath, [binary, ...args], {
      env: { PATH: process.env.PATH, ...house.home.env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const tokenOf = (user: string) => secretary('token', 'create', '--user', user)
  const as = async (token: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${house.url}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    return response.json() as Promise<Record<string, unknown>>
  }
  const signIn = async (page: Page, token: string, stay = false) => {
    await page.getByLabel('Token').fill(token)
    await page.getByLabel('Stay signed in').setChecked(stay)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Token').waitFor({ state: 'detached' })
  }
  const opened = async (path: string, token?: string, stay?: boolean) => {
    context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${house.url}${path}`)
    if (token) await signIn(page, token, stay)
    return page
  }

  beforeAll(async () => {
    ;[house, browser] = await Promise.all([
      openHouse(() => {}, { args: ['--auth', 'on'] }),
      launchBrowser(),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('shows, undoes and sends nothing of one person’s for the next who signs in', async () => {
    const [ada, bob] = [tokenOf('ada'), tokenOf('bob')]
    for (const title of ['Ada’s secret plan', 'Ada’s old news'])
      await as(ada, 'POST', '/api/v1/tasks', { title })
    const page = await opened('/search?q=secret+words', ada)
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByLabel('Ada’s secret plan: open').click()
    await say(page, 'Completed: Ada’s secret plan')
    await page.locator('[data-control="title"]', { hasText: 'Ada’s old news' }).focus()
    await page.keyboard.press('Delete')
    await say(page, 'Deleted: Ada’s old news')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    expect(await page.content()).not.toContain('Ada’s')
    await signIn(page, bob)
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    expect(await page.content()).not.toContain('Ada’s')
    await page.keyboard.press('u')
    await expect
      .poll(async () => JSON.stringify(await as(ada, 'GET', '/api/v1/tasks')))
      .not.toContain('old news')
    expect(JSON.stringify(await as(ada, 'GET', '/api/v1/tasks'))).toContain('"completed":true')
    await context.close()
  })

  it('asks again as soon as the token is revoked, and whoever signs in again goes on writing', async () => {
    const token = tokenOf('carol')
    await as(token, 'POST', '/api/v1/tasks', { title: 'A task to edit' })
    const page = await opened('/tasks', token)
    await page.getByRole('button', { name: 'A task to edit', exact: true }).click()
    await page.getByLabel('Description').fill('Half an hour of thoughts')
    const id =
      /[0-9a-f]{8}/.exec(
        secretary('token', 'list')
          .split('\n')
          .find((line) => line.includes('carol')) ?? '',
      )?.[0] ?? ''
    secretary('token', 'revoke', id)
    await page.getByLabel('Token').waitFor()
    expect(await page.getByText('A task to edit').filter({ visible: true }).count()).toBe(0)
    const another = tokenOf('carol')
    await signIn(page, another)
    expect(await page.getByLabel('Description').inputValue()).toBe('Half an hour of thoughts')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => JSON.stringify(await as(another, 'GET', '/api/v1/tasks')))
      .toContain('Half an hour of thoughts')
    await context.close()
  })

  it('follows another tab that signs in as somebody else for the whole device', async () => {
    const [dan, eve] = [tokenOf('dan'), tokenOf('eve')]
    await as(dan, 'POST', '/api/v1/tasks', { title: 'Dan’s own' })
    const first = await opened('/tasks', dan, true)
    await say(first, 'Dan’s own')
    const second = await context.newPage()
    await second.goto(`${house.url}/`)
    await second.getByRole('button', { name: 'Sign out' }).click()
    await first.getByLabel('Token').waitFor()
    await signIn(second, eve, true)
    await first.locator('.who', { hasText: 'eve' }).waitFor()
    expect(await first.content()).not.toContain('Dan’s own')
    await context.close()
  })

  it('says that the server is gone, also on a narrow screen, and catches up when it is back', async () => {
    const token = tokenOf('frank')
    const page = await opened('/tasks', token, true)
    await page.setViewportSize({ width: 390, height: 844 })
    await say(page, 'Nothing left to do')
    const other = await context.newPage()
    await other.goto(`${house.url}/tasks`)
    await say(other, 'Nothing left to do')
    await house.stop()
    await page.bringToFront()
    await say(page, 'Disconnected')
    // A view whose script was never loaded before.
    await other.getByRole('link', { name: 'Rules' }).click()
    await say(other, 'could not be loaded')
    await page.getByLabel('New task').fill('Written while it was away')
    await page.keyboard.press('Enter')
    await say(page, 'The server does not answer')
    expect(await page.getByLabel('New task').inputValue()).toBe('Written while it was away')
    const { port } = new URL(house.url)
    const again = await startHttpServer({
      env: { ...house.home.env },
      args: ['--auth', 'on', '--port', port],
    })
    expect(again.url).toBe(house.url)
    await as(token, 'POST', '/api/v1/tasks', { title: 'Added by somebody else' })
    await say(page, 'Added by somebody else')
    await page.getByText('Disconnected').waitFor({ state: 'detached' })
    await other.getByRole('heading', { name: 'Rules', level: 1 }).waitFor()
    await say(other, 'Profiles in use')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => JSON.stringify(await as(token, 'GET', '/api/v1/tasks')))
      .toContain('while it was away')
    await context.close()
    await again.stop()
    house = { ...house, stop: async () => {} }
  })
})

describe('many tabs', () => {
  it('leave a connection to the one that is looked at, which then catches up', async () => {
    const [house, browser] = await Promise.all([openHouse(() => {}), launchBrowser()])
    try {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      await context.addInitScript(`{
        let unseen = false
        Object.defineProperty(document, 'hidden', { get: () => unseen })
        window.look = (seen) => { unseen = !seen; document.dispatchEvent(new Event('visibilitychange')) }
      }`)
      const tabs: Page[] = []
      for (let tab = 0; tab < 8; tab++) {
        const page = await context.newPage()
        await page.goto(`${house.url}/tasks`)
        await page.getByText('Nothing left to do').waitFor()
        await page.evaluate('look(false)')
        tabs.push(page)
      }
      await house.api('POST', '/api/v1/tasks', { title: 'Seen by whoever looks' })
      await tabs[0]?.evaluate('look(true)')
      await tabs[0]?.getByText('Seen by whoever looks').first().waitFor()
    } finally {
      await browser.close()
      await house.stop()
    }
  })
})
