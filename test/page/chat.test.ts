import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type ModelMock, startModelMock } from '../support/model-mock.ts'
import { openHouse, type PageHouse } from '../support/page-house.ts'

/** An answer that waits for the test. */
function held(begins: string) {
  let finish: (rest: string) => void = () => {}
  const rest = new Promise<string>((resolve) => {
    finish = resolve
  })
  return { script: { begins, rest }, finish }
}

describe('a chat on the page', () => {
  let house: PageHouse
  let browser: Browser
  let mock: ModelMock
  let page: Page
  const said = (who: 'user' | 'ai', text: string, where = page) =>
    where.locator(`.message[data-sender="${who}"]`, { hasText: text })
  const say = async (text: string, where = page) => {
    // The last words of an answer show before its end does, and Enter sends nothing until then.
    await where.getByRole('button', { name: 'Send' }).waitFor()
    await where.getByLabel('Message').fill(text)
    await where.keyboard.press('Enter')
  }
  const conversation = (where = page) => new URL(where.url()).searchParams.get('conversation')
  const stored = async () =>
    (
      await house.api<{ conversations: { id: string; title: string }[] }>(
        'GET',
        '/api/v1/conversations',
      )
    ).conversations

  beforeAll(async () => {
    mock = await startModelMock()
    const model = {
      SECRETARY_MODEL: 'mock',
      SECRETARY_MODEL_URL: mock.url,
      SECRETARY_MODEL_KEY: 'k',
    }
    ;[house, browser] = await Promise.all([openHouse(() => {}, { env: model }), launchBrowser()])
  })
  beforeEach(async () => {
    await page?.close()
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await page.goto(`${house.url}/chat`)
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
    await mock?.close()
  })

  it('goes on in the same conversation after its first answer was stopped, and keeps what was said of it', async () => {
    const first = held('I begin to explain')
    mock.script(first.script, { say: 'And now the second.' })
    await say('Explain it at length')
    await said('ai', 'I begin to explain').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await say('Shorter, please')
    await said('ai', 'And now the second.').waitFor()
    expect(
      (await stored()).filter(({ title }) => /Explain it at length|Shorter/.test(title)),
    ).toHaveLength(1)
    await page.reload()
    for (const text of ['Explain it at length', 'Shorter, please'])
      await said('user', text).waitFor()
    await said('ai', 'I begin to explain …').waitFor()
    first.finish('')
  })

  it('does nothing more once it was stopped, not even by rules', async () => {
    mock.script({ begins: '', rest: new Promise(() => {}) }, { say: 'Nothing was done.' })
    await say('Add a task to paint the barn')
    await expect.poll(() => mock.asked.length).toBe(1)
    await page.waitForURL(/conversation=/)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await say('What did you do?')
    await said('ai', 'Nothing was done.').waitFor()
    expect(JSON.stringify(await house.api('GET', '/api/v1/tasks'))).not.toContain('barn')
    expect(await said('ai', 'simple rules').count()).toBe(0)
  })

  it('leaves an answer that is being made where it belongs when the person goes to another conversation', async () => {
    mock.script({ say: 'The first is done.' })
    await say('Number one')
    await said('ai', 'The first is done.').waitFor()
    const one = conversation()
    await page.getByRole('link', { name: 'New conversation' }).click()
    const second = held('The second comes')
    mock.script(second.script)
    await say('Number two')
    await said('ai', 'The second comes').waitFor()
    await page.getByRole('link', { name: /^Number one/ }).click()
    await said('ai', 'The first is done.').waitFor()
    expect(await said('ai', 'The second comes').count()).toBe(0)
    second.finish(' to its end.')
    const two = (await stored()).find(({ title }) => title === 'Number two')?.id
    await expect
      .poll(async () => JSON.stringify(await house.api('GET', `/api/v1/conversations/${two}`)))
      .toContain('The second comes to its end.')
    expect(conversation()).toBe(one)
    await page.getByRole('link', { name: /^Number two/ }).click()
    await said('ai', 'The second comes to its end.').waitFor()
  })

  it('goes on with an answer while the person looks at another page', async () => {
    const answer = held('It will take')
    mock.script(answer.script)
    await say('Take your time')
    await said('ai', 'It will take').waitFor()
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    answer.finish(' a while.')
    await page.goBack()
    await said('ai', 'It will take a while.').waitFor()
  })

  it('gives a message back that the server did not take, and keeps a question that waits for a yes', async () => {
    await page.route('**/api/v1/chat', (route) =>
      route.fulfill({ status: 503, json: { error: 'x', message: 'Not now' } }),
    )
    await say('Something that took me a while to write')
    await page.getByText('Not now').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe(
      'Something that took me a while to write',
    )
    expect(await said('user', 'Something that took').count()).toBe(0)
    await page.unroute('**/api/v1/chat')
    const { task } = await house.api<{ task: { id: number } }>('POST', '/api/v1/tasks', {
      title: 'Doomed',
    })
    mock.script(
      { calls: [{ name: 'delete_task', args: { task_id: task.id } }] },
      { say: 'Shall I?' },
    )
    await say('Delete the doomed one')
    const yes = page.getByRole('button', { name: 'Yes, do it' })
    await yes.waitFor()
    await page.reload()
    await yes.waitFor()
    await page.route('**/api/v1/chat', (route) => route.abort())
    await yes.click()
    await page.getByText('does not answer').waitFor()
    await page.unroute('**/api/v1/chat')
    await yes.click()
    await expect
      .poll(async () => JSON.stringify(await house.api('GET', '/api/v1/tasks')))
      .not.toContain('Doomed')
    expect(await page.getByRole('button', { name: 'Yes, do it' }).count()).toBe(0)
  })

  it('stays at the end of an answer that grows, but not where the person reads further up', async () => {
    const [above, below] = ['Line\n\n'.repeat(60), 'More\n\n'.repeat(60)]
    const answer = held(`${above} the middle`)
    mock.script(answer.script)
    await say('Tell me a lot')
    await said('ai', 'the middle').waitFor()
    const fromEnd = () =>
      page.evaluate<number>(
        'document.documentElement.scrollHeight - window.innerHeight - Math.round(window.scrollY)',
      )
    await expect.poll(fromEnd).toBeLessThan(5)
    await page.mouse.wheel(0, -700)
    await expect.poll(fromEnd).toBeGreaterThan(500)
    const place = await page.evaluate<number>('window.scrollY')
    answer.finish(`${below} the end`)
    await said('ai', 'the end').waitFor()
    expect(await page.evaluate<number>('window.scrollY')).toBe(place)
    mock.script({ say: 'Yes.' })
    await say('Did I miss something?')
    await said('ai', 'Yes.').waitFor()
    await expect.poll(fromEnd).toBeLessThan(5)
  })

  it('shows in a second tab what was said in the first', async () => {
    mock.script({ say: 'Heard.' })
    await say('For both tabs')
    await said('ai', 'Heard.').waitFor()
    const other = await browser.newPage({ reducedMotion: 'reduce' })
    const listening = other.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
    await other.goto(page.url())
    await said('ai', 'Heard.', other).waitFor()
    await listening
    mock.script({ say: 'Heard again.' })
    await say('Once more')
    await said('ai', 'Heard again.', other).waitFor()
    await other.close()
  })

  it('forgets a conversation only after a yes, on a narrow screen too', async () => {
    mock.script({ say: 'Kept.' })
    await say('Keep me')
    await said('ai', 'Kept.').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Delete Keep me' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect((await stored()).some(({ title }) => title === 'Keep me')).toBe(true)
    await page.getByRole('button', { name: 'Delete Keep me' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await expect
      .poll(async () => (await stored()).some(({ title }) => title === 'Keep me'))
      .toBe(false)
    await page.getByText('Ask about your tasks').waitFor()
  })
})
