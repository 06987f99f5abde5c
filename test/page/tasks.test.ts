import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

interface Task {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly state?: string
  readonly completed: boolean
  readonly priority?: string
  readonly labels?: string[]
  readonly files?: string[]
  readonly project?: string
}

describe('tasks as work', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const all = async () =>
    (await house.api<{ tasks: Task[] }>('GET', '/api/v1/tasks?sort=order')).tasks
  const task = async (title: string) => (await all()).find((one) => one.title === title)
  const row = (title: string) => page.locator('.row', { hasText: title })
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()',
    )
  const titles = () => page.locator('.row .title').allTextContents()

  beforeAll(async () => {
    here = await visit(
      openHouse((home) => {
        const turn = {
          minutesAgo: 0,
          ask: 'Paint the gate.\nGreen, with two coats.',
          acts: [{ write: 'gate.md', text: 'green\n' }],
          says: 'Begun.',
        }
        keepWorkedDialog(home, 'gate', [turn], { lastAt: Date.now() - 60_000 })
      }),
    )
    ;({ house, page } = here)
    for (const title of ['Oil the hinges', 'Sharpen the saw', 'Mow the meadow'])
      await house.api('POST', '/api/v1/tasks', { title })
  })
  afterAll(() => here?.leave())

  it('have an address, a state, a priority, labels and files', async () => {
    await open('/tasks')
    await row('Sharpen the saw').locator('[data-control="title"]').click()
    await page.waitForURL(/\/tasks\/2/)
    await page.reload()
    await page.getByLabel('State').selectOption('doing')
    await page.getByLabel('Priority').selectOption('high')
    await page.getByLabel('Labels').fill('tools, garden')
    await page.getByRole('textbox', { name: 'Files' }).fill('tools/saw.md')
    await expectGoodViews(page, 'task')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/tasks(\?|$)/)
    await row('Sharpen the saw').getByText('doing').waitFor()
    expect(await task('Sharpen the saw')).toMatchObject({
      state: 'doing',
      priority: 'high',
      labels: ['tools', 'garden'],
      files: ['tools/saw.md'],
      project: house.home.project,
    })
    await expectGoodViews(page, 'tasks')
    await open('/tasks/999')
    await page.getByText('Task not found').waitFor()
  })

  it('are searched and filtered by state, label and project', async () => {
    await open('/tasks')
    await page.getByLabel('Search tasks').fill('hinges')
    await expect.poll(titles).toEqual(['Oil the hinges'])
    await page.getByLabel('Search tasks').fill('')
    await expect.poll(async () => (await titles()).length).toBe(3)
    await page.getByRole('radio', { name: 'Doing' }).check()
    await expect.poll(titles).toEqual(['Sharpen the saw'])
    await page.getByRole('radio', { name: 'All' }).check()
    await page.getByRole('combobox', { name: /^Label/ }).selectOption('garden')
    await expect.poll(titles).toEqual(['Sharpen the saw'])
    await page.getByLabel('Search tasks').fill('nothing of the kind')
    await page.getByText('No tasks match').waitFor()
  })

  it('are ordered by dragging and by keyboard, and stay so', async () => {
    await open('/tasks')
    await expect.poll(titles).toEqual(['Mow the meadow', 'Sharpen the saw', 'Oil the hinges'])
    await row('Oil the hinges').dragTo(row('Mow the meadow'), { targetPosition: { x: 200, y: 4 } })
    await expect.poll(titles).toEqual(['Oil the hinges', 'Mow the meadow', 'Sharpen the saw'])
    await row('Oil the hinges').locator('[data-control="title"]').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(titles).toEqual(['Mow the meadow', 'Oil the hinges', 'Sharpen the saw'])
    await page.reload()
    await expect.poll(titles).toEqual(['Mow the meadow', 'Oil the hinges', 'Sharpen the saw'])
  })

  it('are changed several at once', async () => {
    await open('/tasks')
    await page.getByRole('button', { name: 'Select' }).click()
    await page.getByLabel('Choose Mow the meadow').check()
    await page.getByLabel('Choose Oil the hinges').check()
    await page.getByText('2 chosen').waitFor()
    await page.getByRole('button', { name: 'Blocked' }).click()
    await expect.poll(async () => (await task('Mow the meadow'))?.state).toBe('blocked')
    expect((await task('Oil the hinges'))?.state).toBe('blocked')
    await page.getByText('0 chosen').waitFor()
    expect(await focused()).toBe('0 chosen')
    await open('/tasks?view=board')
    await page.getByRole('region', { name: 'Blocked' }).getByText('Mow the meadow').waitFor()
    await expectGoodViews(page, 'board')
  })

  it('get a label several at once, by keyboard alone', async () => {
    await open('/tasks')
    await page.getByRole('button', { name: 'Select' }).press('Enter')
    for (const title of ['Mow the meadow', 'Sharpen the saw'])
      await page.getByLabel(`Choose ${title}`).press('Space')
    const button = page.getByRole('button', { name: 'Add label' })
    await button.press('Enter')
    await expect.poll(focused).toBe('Label')
    await page.keyboard.type('half a wo')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Add label')
    await page.getByText('2 chosen').waitFor()
    await button.press('Enter')
    await expect.poll(focused).toBe('Label')
    await page.keyboard.press('Enter')
    await expectGoodViews(page, 'label')
    await page.getByLabel('Label', { exact: true }).pressSequentially('garden')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await task('Mow the meadow'))?.labels).toEqual(['garden'])
    expect((await task('Sharpen the saw'))?.labels).toEqual(['tools', 'garden'])
    await expect.poll(focused).toBe('0 chosen')
  })

  it('begin as a draft of a request, to be edited before they are added', async () => {
    await open('/dialogs?session=gate')
    await page.getByRole('button', { name: 'Make a task' }).click()
    expect(await page.getByLabel('Title').inputValue()).toBe('Paint the gate.')
    expect(await page.getByLabel('Description').inputValue()).toBe('Green, with two coats.')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Files' }).inputValue())
      .toBe('gate.md')
    await page.getByLabel('Title').fill('Paint the gate green')
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.locator('#request-1').getByText('Paint the gate green').waitFor()
    await page.locator('#request-1').getByRole('link', { name: /^#\d/ }).click()
    await page.getByRole('link', { name: 'from request 1' }).first().waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Paint the gate green')
  })

  it('lose nothing that was typed when the person goes back', async () => {
    await open('/tasks')
    await row('Mow the meadow').locator('[data-control="title"]').click()
    await page.getByLabel('Description').fill('After the rain')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row('Mow the meadow').locator('[data-control="title"]').click()
    await page.getByText('Your unsaved changes are back').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('After the rain')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await task('Mow the meadow'))?.description)
      .toBe('After the rain')
  })
})
