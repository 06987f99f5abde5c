import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'

const LONG = `Reconsider_${'everything'.repeat(9)} and what follows from it`
const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 360, height: 740 }

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

describe('small things on the page', () => {
  let house: PageHouse
  let browser: Browser
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const tasks = async () =>
    (await house.api<{ tasks: { title: string; completed: boolean }[] }>('GET', '/api/v1/tasks'))
      .tasks
  const box = async (selector: string): Promise<Box> => {
    const found = await page.locator(selector).first().boundingBox()
    if (!found) throw new Error(`${selector} is not on screen`)
    return found
  }

  beforeAll(async () => {
    const furnished = openHouse((home) => {
      keepDialog(home, 'here', ['Plant the plum trees', 'Water them'], Date.now() - 60_000)
      keepDialog(home, 'there', ['Plant a hedge of hawthorn'], Date.now() - 90_000, {
        project: '/somewhere/else',
      })
      writeProjectFile(home, 'src/half.ts', `${COMMENT}\nexport const plum = 'plum'\n`)
      writeProjectFile(home, 'src/view.tsx', VIEW)
    })
    ;[house, browser] = await Promise.all([furnished, launchBrowser()])
    await house.api('POST', '/api/v1/chat', { message: LONG })
    await house.api('POST', '/api/v1/tasks', { title: LONG })
    await house.api('POST', '/api/v1/tasks', { title: 'Prune the plums' })
  })
  beforeEach(async () => {
    await page?.close()
    page = await browser.newPage({ reducedMotion: 'reduce', viewport: WIDE })
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it.each([1280, 900, 700, 360])(
    'keeps the list of chats beside the chat at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 860 })
      await open('/chat')
      await page.locator('.conversations li a').first().waitFor()
      const edges = await page.evaluate<{ list: number; text: number }[]>(
        `[...document.querySelectorAll('.conversations, .conversations *')].map((one) => one.getBoundingClientRect()).map(({ right, bottom }) => ({ list: right, text: bottom }))`,
      )
      const chat = await box('.chat-main')
      for (const { list, text } of edges)
        expect(list <= chat.x + 1 || text <= chat.y + 1).toBe(true)
      expect(Math.max(...edges.map(({ list }) => list))).toBeLessThanOrEqual(width)
    },
  )

  it('takes all that is typed after / for the search, from any view', async () => {
    await open('/tasks')
    await page.getByText('newest first').waitFor()
    await page.locator('h1').click()
    await page.keyboard.type('/plant and pine')
    const box = page.getByRole('combobox', { name: 'Search everything' })
    await expect.poll(() => box.inputValue()).toBe('plant and pine')
    expect(await page.locator('#new-task').inputValue()).toBe('')
  })

  it('takes a key for the search that comes between its box and the focus', async () => {
    await open('/tasks')
    await page.getByText('newest first').waitFor()
    await page.evaluate(`new Promise((done) => {
      const press = (key) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector('dialog.palette')) return
        observer.disconnect()
        press('p')
        done()
      }).observe(document.body, { childList: true, subtree: true })
      press('/')
    })`)
    await page.keyboard.type('lum')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await expect.poll(() => field.inputValue()).toBe('plum')
  })

  it.each([WIDE, NARROW])('keeps a button of a notice in one piece', async (size) => {
    await page.setViewportSize(size)
    await open('/tasks')
    await page.locator('.row', { hasText: 'Reconsider' }).getByRole('checkbox').click()
    await page.locator('.toast button').waitFor()
    const { height } = await box('.toast button')
    const line = await page.evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector('.toast button')).lineHeight)`,
    )
    expect(height).toBeLessThan(line * 2)
    await page.locator('.toast button').click()
    await expect.poll(async () => (await tasks()).every(({ completed }) => !completed)).toBe(true)
  })

  it('makes one task of a request, however often the button is pressed', async () => {
    await open('/dialogs?session=here')
    const button = page.locator('#request-2').getByRole('button', { name: 'Make a task' })
    await button.dblclick()
    await page.getByRole('button', { name: 'Add task' }).dblclick()
    await page.locator('#request-2').getByText('Water them, open').waitFor()
    expect(await button.count()).toBe(0)
    await page.reload()
    await page.locator('#request-2').getByText('Water them, open').waitFor()
    expect(await button.count()).toBe(0)
    expect((await tasks()).filter(({ title }) => title === 'Water them').length).toBe(1)
  })

  it('opens a task of today by its title, and completes it by its box alone', async () => {
    await open('/')
    await page.getByText('Prune the plums', { exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Title').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('Prune the plums')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect((await tasks()).find(({ title }) => title === 'Prune the plums')?.completed).toBe(false)
    await page.getByRole('checkbox', { name: 'Prune the plums' }).click()
    await page.getByText('Completed: Prune the plums').waitFor()
    await page.keyboard.press('u')
    await page.getByText('Prune the plums', { exact: true }).waitFor()
  })

  it('asks before Escape or Close throws away what was typed', async () => {
    await open('/tasks')
    await page.locator('[data-control="title"]', { hasText: 'Prune the plums' }).click()
    const words = page.getByLabel('Description')
    await words.fill('Before the frost')
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
    await page.getByText('Your changes are not saved').waitFor()
    expect(await words.inputValue()).toBe('Before the frost')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('[data-control="title"]', { hasText: 'Prune the plums' }).click()
    expect(await words.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('searches the requests of every project, as the list beside it, and of one where one is chosen', async () => {
    await open('/dialogs?q=hawthorn')
    const hit = page.locator('.hits li', { hasText: 'Plant a hedge of hawthorn' })
    await hit.waitFor()
    expect(await hit.textContent()).toContain('somewhere/else')
    await page.getByLabel('Search what you asked').fill('plant')
    await page.waitForURL(/q=plant/)
    await page.locator('.hits li', { hasText: 'Plant the plum trees' }).waitFor()
    await hit.waitFor()
    await page.getByLabel('Search what you asked').fill('hedge')
    await page.getByLabel('Project').selectOption('/somewhere/else')
    await page
      .locator('.hits li', { hasText: 'Plant the plum trees' })
      .waitFor({ state: 'detached' })
    await hit.waitFor()
    await page.waitForURL(/project=%2Fsomewhere%2Felse.*q=hedge/)
  })

  it.each([
    ['a comment that began before it', '/file?path=src%2Fhalf.ts', 'this for an answer'],
    ['words between tags', '/file?path=src%2Fview.tsx', 'Wait for this or let'],
  ])('does not colour %s as code', async (_what, path, prose) => {
    await open(path)
    const line = page.locator('.source-line', { hasText: prose })
    await line.waitFor()
    await page.locator('.source .code-word', { hasText: 'export' }).first().waitFor()
    expect(await line.locator('.code-word').count()).toBe(0)
  })
})

const COMMENT = ` * Nobody takes this for an answer: if it is new, return to it.\n */`
const VIEW = `export function View() {
  return (
    <p class="lead">
      Wait for this or let it be (in any case).
    </p>
  )
}
`
