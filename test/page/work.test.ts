import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnishedHouse } from '../support/furnished-house.ts'
import { connectStdio } from '../support/mcp-client.ts'
import { type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'

interface Tasks {
  readonly tasks: readonly {
    readonly id: number
    readonly title: string
    readonly description: string
    readonly completed: boolean
  }[]
  readonly total: number
}

describe('work on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  let say: Visit['say']
  const tasks = () => house.api<Tasks>('GET', '/api/v1/tasks')
  const task = async (title: string) => (await tasks()).tasks.find((one) => one.title === title)
  const open = (path: string) => page.goto(`${house.url}${path}`)

  beforeAll(async () => {
    here = await visit(openFurnishedHouse())
    ;({ house, page, say } = here)
  })
  afterAll(() => here?.leave())

  it('adds, completes, reopens, edits and deletes tasks with the keyboard alone, and undoes it', async () => {
    await open('/')
    await say('Open tasks')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await say(/\d tasks?, /)
    await page.keyboard.press('n')
    await page.keyboard.type('Prune the old trees')
    await page.keyboard.press('Enter')
    await say('Prune the old trees')

    const title = page.locator('[data-control="title"]', { hasText: 'Prune the old trees' })
    await title.focus()
    await page.keyboard.press('Space')
    await say('Completed: Prune the old trees')
    await expect.poll(async () => (await task('Prune the old trees'))?.completed).toBe(true)
    await page.keyboard.press('u')
    await expect.poll(async () => (await task('Prune the old trees'))?.completed).toBe(false)

    await title.focus()
    await page.keyboard.press('e')
    await page.getByLabel('Description').fill('Before the frost')
    await page.getByLabel('Title').press('Enter')
    await expect
      .poll(async () => (await task('Prune the old trees'))?.description)
      .toBe('Before the frost')
    await page.locator('dialog').waitFor({ state: 'detached' })

    await title.focus()
    await page.keyboard.press('Delete')
    await say('Deleted: Prune the old trees')
    await page.keyboard.press('u')
    await title.waitFor()
    await title.focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain(
      'Turn the telephone list off',
    )
  })

  it('deletes for good when nobody undoes it, also when the page is left at once', async () => {
    await open('/tasks')
    await page.locator('[data-control="title"]', { hasText: 'Prune the old trees' }).focus()
    await page.keyboard.press('Delete')
    await say('Deleted: Prune the old trees')
    expect(await task('Prune the old trees')).toBeDefined()
    await open('/tools')
    await expect.poll(() => task('Prune the old trees')).toBeUndefined()
  })

  it('moves cards on the board with the arrow keys and with the mouse', async () => {
    await open('/tasks?view=board')
    const card = page.locator('.card', { hasText: 'Write the confirmation mail' })
    await card.locator('[data-control="title"]').focus()
    for (const state of ['Doing', 'Blocked', 'Done']) {
      await page.keyboard.press('ArrowRight')
      const column = page.getByRole('region', { name: state })
      const moved = column.locator('[data-control="title"]', { hasText: 'Write the confirmation' })
      await moved.waitFor()
      await moved.focus()
    }
    await expect.poll(async () => (await task('Write the confirmation mail'))?.completed).toBe(true)
    const done = page.getByRole('region', { name: 'Done' })
    await done.getByText('Write the confirmation mail').waitFor()
    await done
      .locator('.card', { hasText: 'Write the confirmation mail' })
      .dragTo(page.getByRole('region', { name: 'Open' }).locator('h2'))
    await expect
      .poll(async () => (await task('Write the confirmation mail'))?.completed)
      .toBe(false)
  })

  it('shows what an agent does in another process, without a reload', async () => {
    await open('/tasks')
    await say(/\d tasks?, /)
    const agent = await connectStdio({ env: house.home.env })
    await agent.call('add_task', { title: 'Added by an agent' })
    await say('Added by an agent')
    await agent.close()
  })

  it('asks before a project’s own rules are followed, and takes it back', async () => {
    writeProjectFile(house.home, '.guide/guidelines/own.md', '# Own rule\n')
    await open('/guide')
    await page.getByText('This project brings its own rules').waitFor()
    await page.getByRole('link', { name: '.guide/guidelines/own.md' }).click()
    await page.locator('.source-line', { hasText: 'Own rule' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Trust these rules' }).click()
    await page.getByText('You trust the rules').waitFor()
    await page.getByRole('button', { name: 'Stop trusting them' }).click()
    await page.getByRole('button', { name: 'Trust these rules' }).waitFor()
  })

  it('explains why a result ranks, and opens the file at its line', async () => {
    await open('/search?q=book+a+picking+slot')
    await page.getByText('Why it ranks here').nth(1).click()
    await page.locator('.factors dt', { hasText: 'meaning' }).first().waitFor()
    await page
      .getByRole('link', { name: /book-slot\.ts:\d+$/ })
      .first()
      .click()
    await page.locator('.source-line[data-marked="true"]').waitFor()
    await page.locator('.source .code-word', { hasText: 'export' }).first().waitFor()
  })

  it('takes a letter for a page only after g, also in the first moments', async () => {
    const early = await here.browser.newPage()
    await early.addInitScript(
      "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 100 })",
    )
    await early.goto(`${house.url}/tasks`)
    await early.getByText(/\d tasks?, /).waitFor()
    await early.keyboard.press('u')
    expect(new URL(early.url()).pathname).toBe('/tasks')
    await early.keyboard.press('g')
    await early.keyboard.press('u')
    expect(new URL(early.url()).pathname).toBe('/guide')
    await early.close()
  })

  it('searches when one pauses, not with every key, and at once with Enter', async () => {
    const typist = await here.browser.newPage({ reducedMotion: 'reduce' })
    const asked: string[] = []
    typist.on('request', (request) => {
      if (request.url().endsWith('/tools/context_search')) asked.push(request.postDataJSON().query)
    })
    await typist.clock.install()
    await typist.goto(`${house.url}/search`)
    const box = typist.getByLabel('What are you looking for?')
    await box.waitFor()
    await typist.clock.pauseAt(Date.now() + 3_600_000)
    await box.pressSequentially('book a picking slot')
    await typist.clock.runFor(400)
    expect(asked).toEqual([])
    await typist.clock.runFor(400)
    await expect.poll(() => asked).toEqual(['book a picking slot'])
    await box.pressSequentially(' soon')
    await box.press('Enter')
    // Shorter than any pause, and long enough for a frame to be drawn.
    await typist.clock.runFor(200)
    await expect.poll(() => asked).toEqual(['book a picking slot', 'book a picking slot soon'])
    await typist.close()
  })

  it('waits where a minute’s searches are used up, says how long, and goes on by itself', async () => {
    const visitor = await here.browser.newPage({ reducedMotion: 'reduce' })
    let refusals = 0
    await visitor.route('**/api/v1/tools/context_search', async (route) => {
      if (refusals++ > 0) return route.continue()
      const body = {
        error: 'Rate limit exceeded for context_search',
        message: 'Try again in 2 s',
        retryAfterSeconds: 2,
      }
      return route.fulfill({ json: { isError: true, body, reminders: [] } })
    })
    await visitor.goto(`${house.url}/search?q=book+a+picking+slot`)
    await visitor.getByText('Retrying automatically in').waitFor()
    expect(await visitor.getByRole('alert').count()).toBe(0)
    await visitor.getByText('Why it ranks here').first().waitFor()
    expect(await visitor.getByText('goes on by itself').count()).toBe(0)
    await visitor.close()
  })

  it('calls a tool from a form that its schema made, and asks before it destroys', async () => {
    await open('/tools?name=add_task')
    await page.getByRole('button', { name: 'Example: an open task with details' }).click()
    await page.getByLabel('title').fill('From the form')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.locator('.answer', { hasText: 'From the form' }).waitFor()
    const id = (await task('From the form'))?.id
    await open('/tools?name=delete_task')
    await page.getByLabel('task_id').fill(String(id))
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await say('cannot be undone')
    expect(await task('From the form')).toBeDefined()
    await page.getByRole('button', { name: 'Call it' }).click()
    await page.locator('.answer', { hasText: 'Task deleted successfully' }).waitFor()
    expect(await task('From the form')).toBeUndefined()
  })

  it('chats: the answer streams in, tool calls are shown, and nothing is deleted before a yes', async () => {
    await open('/chat')
    await page.getByRole('button', { name: 'Add a task to write the release notes' }).click()
    await page.locator('.use', { hasText: 'add_task' }).waitFor()
    const added = (await tasks()).tasks.find(({ title }) => /release notes/i.test(title))
    expect(added).toBeDefined()
    await page.getByLabel('Message').fill(`delete task ${added?.id}`)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Yes, do it' }).click()
    await expect
      .poll(async () => (await tasks()).tasks.some(({ id }) => id === added?.id))
      .toBe(false)
    await page.getByRole('link', { name: /Add a task to write/ }).waitFor()
    await page.reload()
    await page.locator('.message[data-sender="user"]', { hasText: 'delete task' }).waitFor()
  })
})
