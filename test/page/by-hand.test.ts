import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'

const MANY = 260

describe('going about by hand', () => {
  let house: PageHouse
  let browser: Browser
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const title = (text: string) => page.locator('[data-control="title"]', { hasText: text })
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.closest("li")?.textContent ?? document.activeElement.tagName',
    )
  const stored = async (text: string) => {
    const { tasks } = await house.api<{
      tasks: { title: string; completed: boolean; description: string }[]
    }>('GET', '/api/v1/tasks?limit=100&offset=180')
    return tasks.find((task) => task.title === text)
  }

  beforeAll(async () => {
    const furnished = openHouse((home) => {
      keepDialog(home, 'short', ['One', 'Two'], Date.now() - 60_000)
      const lines = Array.from(
        { length: 30_000 },
        (_, line) => `export const value${line + 1} = 'a line that makes the file large'`,
      )
      writeProjectFile(home, 'src/large.ts', lines.join('\n'))
      const fields = lines.slice(0, 25).map((_, at) => `  field${at}: number`)
      const deep = ['export interface Parcel {', ...fields, '  courierName: string', '}', '']
      writeProjectFile(home, 'src/parcel.ts', deep.join('\n'))
    })
    ;[house, browser] = await Promise.all([furnished, launchBrowser()])
    for (let task = 1; task <= MANY; task++)
      await house.api('POST', '/api/v1/tasks', { title: `Task number ${task}` })
    await house.api('PUT', '/api/v1/tasks/60/request', { session_id: 'short', request_index: 2 })
  })
  beforeEach(async () => {
    await page?.close()
    page = await browser.newPage({ reducedMotion: 'reduce' })
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('finds a long list where it was left, by going back, by going forth and after a reload', async () => {
    const top = () => page.evaluate<number>('Math.round(window.scrollY)')
    await open('/tasks')
    await title('Task number 260').waitFor()
    const link = page.getByRole('link', { name: 'from request 2' })
    for (let round = 0; round < 60 && (await link.count()) === 0; round++) {
      await page.mouse.wheel(0, 400)
      await page.waitForFunction('new Promise((resolve) => setTimeout(() => resolve(true), 150))')
    }
    await link.scrollIntoViewIfNeeded()
    const place = await top()
    expect(place).toBeGreaterThan(3000)
    await link.click()
    await page.locator('#request-2').waitFor()
    expect(await top()).toBeLessThan(place)
    await page.goBack()
    await link.waitFor()
    expect(await top()).toBe(place)
    await page.reload()
    await link.waitFor()
    await expect.poll(top).toBe(place)
  })

  it('keeps the focus in the list when a row is deleted, brought back or completed', async () => {
    await open('/tasks')
    await title('Task number 259').focus()
    await page.keyboard.press('Delete')
    await page.locator('.leaving').waitFor()
    await expect.poll(focused).toContain('Undo')
    await page.keyboard.press('Enter')
    await title('Task number 259').waitFor()
    await expect.poll(focused).toContain('Task number 259')
    await title('Task number 259').focus()
    await page.keyboard.press('x')
    await expect.poll(focused).toContain('Task number 258')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(focused).toContain('Task number 258')
    await page.keyboard.press('e')
    await page
      .getByRole('button', { name: 'Delete', exact: true })
      .filter({ visible: true })
      .last()
      .click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).not.toBe('BODY')
    await page.getByRole('button', { name: 'Undo' }).first().click()
  })

  it('saves only what was changed in a form, so that what an agent did meanwhile stays', async () => {
    await open('/tasks')
    await title('Task number 257').click()
    await page.getByLabel('Description').fill('By hand')
    await house.api('POST', '/api/v1/tasks/257/complete')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await stored('Task number 257')).toMatchObject({
      description: 'By hand',
      completed: true,
    })
  })

  it('says in the form that it could not be saved, and keeps what was typed', async () => {
    await open('/tasks')
    await title('Task number 256').click()
    await page.route('**/api/v1/tasks/256', (route) => route.fulfill({ status: 500, body: 'oops' }))
    await page.getByLabel('Description').fill('Long thoughts')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('dialog').getByRole('alert').getByText('500').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Long thoughts')
    await page.unroute('**/api/v1/tasks/256')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await stored('Task number 256'))?.description)
      .toBe('Long thoughts')
  })

  it('lets the next task be typed while the last one is on its way, and adds each once', async () => {
    await open('/tasks')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/tasks', async (route) => {
      if (route.request().method() === 'POST') await held
      return route.continue()
    })
    const field = page.getByLabel('New task')
    await field.fill('The first of two')
    await field.press('Enter')
    await field.press('Enter')
    await field.pressSequentially('The second')
    release()
    await title('The first of two').waitFor()
    expect(await title('The first of two').count()).toBe(1)
    expect(await field.inputValue()).toBe('The second')
  })

  it('knows requests that a dialog does not have, and says so', async () => {
    for (const [at, says] of [
      ['999', 'There is no request 999'],
      ['-4', 'Two'],
      ['1e99', 'Two'],
      ['x', 'Two'],
    ] as const) {
      await open(`/dialogs?session=short&at=${at}`)
      await page.getByText(says).filter({ visible: true }).first().waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    }
    await open('/dialogs?session=short&at=999')
    await page.getByRole('link', { name: 'Go to the latest' }).click()
    await page.locator('#request-2').waitFor()
  })

  it('takes exact text as it stands, a regular expression when asked, and says when there is more', async () => {
    await open('/search?q=value1%3F&by=text')
    await page.getByText('0 matches').waitFor()
    await page.getByLabel('Regular expression').check()
    await page.getByText(/^More than \d+ matches/).waitFor()
    expect(page.url()).toContain('regex=1')
    await open('/search?q=%5B&by=text')
    await page.getByText(/\d+ match/).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('shows the lines that match, marked, and opens the file there', async () => {
    await open('/search?q=name+of+the+courier')
    const hit = page.locator('.hit', { hasText: 'src/parcel.ts' })
    await hit.locator('.marked-line', { hasText: 'courierName' }).waitFor()
    await hit.getByRole('link', { name: 'src/parcel.ts:27' }).click()
    await page.locator('.source-line[data-marked="true"]', { hasText: 'courierName' }).waitFor()
  })

  it('opens a line of a file that is too large to be read at once, and says what is missing', async () => {
    await open('/search?q=value25000&by=text')
    await page.getByRole('link', { name: 'src/large.ts:25000' }).click()
    await page.locator('.source-line[data-marked="true"]', { hasText: 'value25000' }).waitFor()
    await page.getByText('this part starts at line').waitFor()
    await open('/file?path=src%2Fnowhere.ts')
    await page.getByText('This file is not in the project').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  it('writes each language in its own direction, and shows a choice where the system gives the colours', async () => {
    await house.api('POST', '/api/v1/tasks', { title: 'מה נשאר לעשות היום?' })
    await page.emulateMedia({ forcedColors: 'active' })
    await open('/tasks')
    await title('מה נשאר').waitFor()
    const style = (selector: string, name: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`,
      )
    expect(await style('.row .title', 'unicodeBidi')).toBe('plaintext')
    const chosen = await style('.choice input:checked + span', 'backgroundColor')
    expect(chosen).not.toBe(await style('.choice input:not(:checked) + span', 'backgroundColor'))
  })

  it('is not kept out by an old token where the server wants none', async () => {
    await page.addInitScript("localStorage.setItem('secretary.token', 'sec_of_last_year')")
    await open('/tasks')
    await title('Task number 260').waitFor()
    expect(await page.getByLabel('Token').count()).toBe(0)
  })

  it('does not call a limit of the moment a machine without dialogs', async () => {
    await page.route('**/api/v1/today?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { error: 'rate_limited', message: 'Rate limit exceeded' },
      }),
    )
    await open('/')
    await page.getByText('Retrying automatically').waitFor()
    expect(await page.getByText('No dialog in this project yet').count()).toBe(0)
  })

  it('asks again by itself as long as the index is being built', async () => {
    let asked = 0
    const body = { query: 'anything', results: [], totalFound: 0, searchTime: 1 }
    await page.route('**/api/v1/tools/context_search', (route) => {
      asked++
      const partial = asked < 3 ? { partial: true } : { message: 'Now it is whole' }
      return route.fulfill({
        json: { isError: false, body: { ...body, ...partial }, reminders: [] },
      })
    })
    await open('/search?q=anything')
    await page.getByText('still being built').waitFor()
    await page.getByText('Now it is whole').waitFor()
    expect(asked).toBe(3)
  })

  it('says what a search of an empty project means, instead of what its tool tells an agent', async () => {
    await page.route('**/api/v1/tools/context_search', (route) =>
      route.fulfill({
        json: {
          isError: true,
          error_type: 'not_indexed',
          body: { error: 'No embeddings found. Run initial session to generate context.' },
          reminders: [],
        },
      }),
    )
    await open('/search?q=anything')
    await page.getByText('Nothing can be searched yet').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
