import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

interface Task {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly state?: string
  readonly labels?: string[]
  readonly files?: string[]
}

describe('edits that two make at once', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const add = (title: string, more: object = {}) =>
    house.api<{ task: Task }>('POST', '/api/v1/tasks', { title, ...more })
  const task = async (id: number) =>
    (await house.api<{ task: Task }>('GET', `/api/v1/tasks/${id}`)).task
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  beforeAll(async () => {
    here = await visit(openHouse(() => {}))
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it('keep a label that an agent adds before several tasks get another', async () => {
    const { id } = (await add('Mow the meadow', { labels: ['garden'] })).task
    await open('/tasks')
    await button('Select').click()
    await page.getByLabel('Choose Mow the meadow').check()
    await button('Add label').click()
    await house.tool('plan_task', { task_id: id, labels: ['summer'], lists: 'add' })
    await page.getByLabel('Label', { exact: true }).fill('urgent')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await task(id)).labels).toEqual(['garden', 'summer', 'urgent'])
  })

  it('merge in a task: what each added or removed, and fields that only one changed', async () => {
    const before = { labels: ['old', 'both'], files: ['a.md'], description: 'As it was' }
    const { id } = (await add('Oil the hinges', before)).task
    await open(`/tasks/${id}`)
    await page.getByLabel('Labels').fill('both, mine')
    await page.getByRole('textbox', { name: 'Files' }).fill('a.md\nmine.md')
    await house.tool('plan_task', {
      task_id: id,
      state: 'doing',
      labels: ['old', 'both', 'theirs'],
    })
    await house.tool('plan_task', { task_id: id, files: ['a.md', 'theirs.md'] })
    await house.tool('update_task', { task_id: id, description: 'As an agent wrote it' })
    await button('Save').click()
    await page.waitForURL(/\/tasks(\?|$)/)
    expect(await task(id)).toMatchObject({
      description: 'As an agent wrote it',
      state: 'doing',
      labels: ['both', 'theirs', 'mine'],
      files: ['a.md', 'theirs.md', 'mine.md'],
    })
  })

  it('show both versions of a text that two changed, also to whoever left and came back', async () => {
    const { id } = (await add('Paint the gate', { description: 'Green' })).task
    await open('/tasks')
    await page.getByText('Paint the gate').click()
    await page.getByLabel('Description').fill('Green, two coats')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await house.tool('update_task', { task_id: id, description: 'Red, says the agent' })
    await page.getByText('Red, says the agent').click()
    await page.getByText('Your unsaved changes are back').waitFor()
    await button('Save').click()
    const notice = page.getByRole('alert')
    await notice.getByText('Red, says the agent').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Green, two coats')
    expect((await task(id)).description).toBe('Red, says the agent')
    await expectGoodViews(page, 'changed-meanwhile')
    await button('Save mine').click()
    await page.waitForURL(/\/tasks(\?|$)/)
    expect((await task(id)).description).toBe('Green, two coats')
  })

  it('take the other version where the person says so, and keep the rest of what they typed', async () => {
    const { id } = (await add('Prune the roses', { description: 'In March' })).task
    await open(`/tasks/${id}`)
    await page.getByLabel('Title').fill('Prune all roses')
    await page.getByLabel('Description').fill('In April')
    await house.tool('update_task', { task_id: id, description: 'In May' })
    await button('Save').click()
    await button('Take theirs').click()
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('In May')
    await button('Save').click()
    await page.waitForURL(/\/tasks(\?|$)/)
    expect(await task(id)).toMatchObject({ title: 'Prune all roses', description: 'In May' })
  })

  it('tell whoever moves a card that an agent has just moved', async () => {
    const { id } = (await add('Fill the pond')).task
    await open('/tasks?view=board')
    await page.getByText('Fill the pond').waitFor()
    // The page does not hear of it in time.
    await page.route('**/api/v1/tasks?**', () => {})
    await house.tool('plan_task', { task_id: id, state: 'blocked' })
    await page.locator('.card', { hasText: 'Fill the pond' }).locator('.row-title').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('its state is now “blocked”').waitFor()
    expect((await task(id)).state).toBe('blocked')
    await page.unrouteAll()
  })

  it('keep a task that an agent has changed since the person deleted it', async () => {
    const { id } = (await add('Sweep the path')).task
    await open('/tasks')
    await page.getByRole('button', { name: 'Delete Sweep the path' }).click()
    await page.getByText('Deleted: Sweep the path').waitFor()
    await house.tool('update_task', { task_id: id, description: 'The agent found the broom' })
    // Whoever leaves the page does not change their mind any more.
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'DELETE'),
      page.evaluate("dispatchEvent(new Event('pagehide'))"),
    ])
    await page.getByText('“Sweep the path” was changed meanwhile and is kept').waitFor()
    await page.getByText('The agent found the broom').waitFor()
    expect((await task(id)).description).toBe('The agent found the broom')
    await page.getByRole('button', { name: 'Delete Sweep the path' }).click()
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'DELETE'),
      page.evaluate("dispatchEvent(new Event('pagehide'))"),
    ])
    await expect.poll(() => task(id)).toBeUndefined()
  })

  it('show both versions of a document, while it is being written', async () => {
    await house.api('PUT', '/api/v1/guide/document', {
      path: 'guidelines/pond.md',
      content: '# Pond\n\nClean it.\n',
      isNew: true,
    })
    await open('/guide?edit=guidelines/pond.md')
    await page.getByLabel('Text').fill('# Pond\n\nClean it in spring.\n')
    await house.tool('guide_update_document', {
      consent: 'UPDATE_DOCUMENT',
      path: 'guidelines/pond.md',
      content: '# Pond\n\nNever clean it.\n',
    })
    const notice = page.getByRole('alert')
    await notice.getByText('-Never clean it.').waitFor()
    await expectGoodViews(page, 'document-changed')
    expect(await page.getByLabel('Text').inputValue()).toContain('in spring')
    await button('Take theirs').click()
    await expect.poll(() => page.getByLabel('Text').inputValue()).toContain('Never clean it')
    await page.getByLabel('Text').fill('# Pond\n\nNever clean it in spring.\n')
    await button('Save').click()
    await page.getByText('Document guidelines/pond.md updated').waitFor()
  })

  it('do not let a document be overwritten before the page has heard of the other version', async () => {
    const text = async () =>
      (await house.api<{ text: string }>('GET', '/api/v1/guide/document?path=guidelines/pond.md'))
        .text
    await open('/guide?edit=guidelines/pond.md')
    await page.getByLabel('Text').fill('# Pond\n\nMine.\n')
    await page.route('**/api/v1/guide/document?**', () => {})
    await house.tool('guide_update_document', {
      consent: 'UPDATE_DOCUMENT',
      path: 'guidelines/pond.md',
      content: '# Pond\n\nTheirs.\n',
    })
    await button('Save').click()
    await page.getByText('was changed meanwhile').waitFor()
    expect(await text()).toContain('Theirs.')
    await page.unrouteAll()
    await page.reload()
  })

  it('show the name that another tab gave a conversation', async () => {
    await house.api('POST', '/api/v1/chat', { message: 'What is left to do?' })
    await open('/chat')
    await page.getByRole('button', { name: /^Rename/ }).click()
    const [found] = (
      await house.api<{ conversations: { id: string }[] }>('GET', '/api/v1/conversations')
    ).conversations
    await house.api('PATCH', `/api/v1/conversations/${found?.id}`, { title: 'Named elsewhere' })
    await page.getByLabel('Title').fill('Named here')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('alert').getByText('Named elsewhere').waitFor()
    await expectGoodViews(page, 'conversation-changed')
    await button('Save mine').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Named here' }).waitFor()
  })
})
