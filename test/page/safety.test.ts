import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { foreign, MARK } from '../support/foreign-words.ts'
import { hostileNames, injections } from '../support/injection-corpus.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'

const [first = ''] = injections
/** Lists of tasks begin with it. */
const newest = injections.at(-2) ?? ''
const all = injections.join('\n\n')

describe('a house full of hostile text', () => {
  let house: PageHouse
  let browser: Browser
  let page: Page
  const left: string[] = []

  beforeAll(async () => {
    const opened = openHouse((home) => {
      keepDialog(home, 'hostile', [...injections], Date.now() - 60_000, {
        summary: '<img src=x onerror="window.pwned=40">',
        answers: injections.map((text) => `Answered: ${text}\n\n${text}`),
      })
      keepDialog(home, 'hostile-answer', ['Say it all'], Date.now() - 120_000, {
        answers: [all.repeat(3)],
      })
      for (const name of hostileNames) writeProjectFile(home, `src/${name}`, `// needle\n${all}\n`)
    })
    ;[house, browser] = await Promise.all([opened, launchBrowser()])
    for (const text of injections)
      await house.api('POST', '/api/v1/tasks', { title: text, description: text })
    await house.api('PUT', '/api/v1/tasks/1/request', { session_id: 'hostile', request_index: 1 })
    await house.tool('guide_create_document', {
      path: 'lang/hostile.md',
      content: `---\ndescription: ${JSON.stringify(injections[1])}\n---\n# ${injections[1]}\n\n${all}\n`,
      consent: 'CREATE_DOCUMENT',
    })
    await house.tool('guide_set_project_flag', { name: 'hostile', value: [...injections] })
    await house.tool('record_discovery', {
      type: 'decision',
      content: `needle ${all}`.slice(0, 2000),
      module: injections[1],
    })
    await house.api('POST', '/api/v1/chat', { message: all })
    page = await browser.newPage()
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== house.url) left.push(request.url())
    })
    page.on('dialog', (dialog) => dialog.dismiss())
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  async function expectHarmless(path: string, shows: string): Promise<void> {
    await page.goto(`${house.url}${path}`)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    await page.mouse.move(400, 300)
    await page.keyboard.press('Tab')
    await expectNothingRan(path)
  }

  async function expectNothingRan(where: string): Promise<void> {
    expect(await page.evaluate('window.pwned'), where).toBeUndefined()
    const foreign = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main script, iframe, object, embed, style, img, base, main form[action], [onerror], [onload], [onfocus]')].map((one) => one.outerHTML)`,
    )
    expect(foreign, where).toEqual([])
    // The way into the person's editor is the page's own.
    const protocols = await page.evaluate<string[]>(
      `[...document.links].filter((link) => !link.matches('.file-actions a')).map((link) => link.protocol)`,
    )
    expect(
      [...new Set(protocols)].filter(
        (protocol) => !['http:', 'https:', 'mailto:'].includes(protocol),
      ),
      where,
    ).toEqual([])
    expect(left, where).toEqual([])
  }

  it.each([
    ['today', '/', first],
    ['the tasks', '/tasks', newest],
    ['the board', '/tasks?view=board', newest],
    ['the dialogs', '/dialogs', '<img src=x onerror="window.pwned=40">'],
    ['a dialog', '/dialogs?session=hostile', first],
    ['found requests', '/dialogs?q=script', 'window.pwned'],
    ['a document', '/guide?document=guide%3A%2F%2Flang%2Fhostile.md', first],
    ['a category', '/guide?category=lang', injections[1] ?? ''],
    ['the flags', '/guide', 'hostile'],
    ['found notes and code', '/search?q=needle', 'needle'],
    ['found lines', '/search?q=needle&by=text', '<img src=x onerror=window.pwned=30>.ts'],
    [
      'a file',
      `/file?path=${encodeURIComponent(`src/${hostileNames[0]}`)}&line=2`,
      '<img src=x onerror=window.pwned=30>.ts',
    ],
    [
      'an address of the attacker’s',
      `/dialogs?session=${encodeURIComponent(first)}&q=${encodeURIComponent(first)}`,
      'Session not found',
    ],
    ['a search for markup', `/search?q=${encodeURIComponent(injections[1] ?? '')}`, 'result'],
  ])('runs nothing in %s', async (_what, path, shows) => expectHarmless(path, shows))

  it('runs nothing in the answers of a dialog, whichever of them are read, and in one that is unfolded', async () => {
    await page.goto(`${house.url}/dialogs?session=hostile`)
    for (const [place] of injections.entries()) {
      const reply = page.getByLabel(`Answer to request ${place + 1}`, { exact: true })
      await page.locator(`#request-${place + 1}`).scrollIntoViewIfNeeded()
      await reply.getByText('Answered:').first().waitFor()
    }
    await expectNothingRan('the answers')
    await page.goto(`${house.url}/dialogs?session=hostile-answer`)
    await page.getByRole('button', { name: /^Show all [\d,.]+ characters$/ }).click()
    await page.getByRole('button', { name: 'Show less' }).waitFor()
    await expectNothingRan('the unfolded answer')
  })

  it('runs nothing in a task’s form, in a tool’s answer and in a conversation', async () => {
    await page.goto(`${house.url}/tasks`)
    await page.locator('[data-control="title"]', { hasText: '<img src=x' }).first().click()
    await page.locator('dialog').getByLabel('Title').waitFor()
    await expectNothingRan('the form')
    await page.goto(`${house.url}/tools?name=list_tasks`)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.locator('.answer', { hasText: 'window.pwned' }).waitFor()
    await expectNothingRan('the answer')
    await page.goto(`${house.url}/chat`)
    await page.locator('.conversations li a').first().click()
    await page.locator('.message', { hasText: 'window.pwned=2' }).first().waitFor()
    await expectNothingRan('the conversation')
  })

  it('shows generated titles as titles, and none as a heading or a link of its own', async () => {
    const texts = fc.sample(foreign, { numRuns: 20, seed: 7 }).map((text) => text.slice(0, 200))
    for (const title of texts) await house.tool('add_task', { title })
    await page.goto(`${house.url}/tasks`)
    const titles = page.locator('[data-control="title"]', { hasText: MARK })
    await expect.poll(() => titles.count()).toBeGreaterThan(5)
    await expectNothingRan('generated titles')
    const elsewhere = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main h1, main h2, main h3, main a')].filter((one) => !one.closest('[data-control="title"]') && one.textContent.includes(${JSON.stringify(MARK)})).map((one) => one.outerHTML)`,
    )
    expect(elsewhere).toEqual([])
  })

  it('would not run a script even if markup slipped in', async () => {
    await page.goto(`${house.url}/`)
    const outcome = await page.evaluate<string>(`(() => {
      try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.pwned=99">') } catch (error) { return error.name }
      return 'taken'
    })()`)
    expect(outcome).toBe('TypeError')
    await page
      .evaluate(
        `{ const script = document.createElement('script'); script.append('window.pwned=98'); document.body.append(script) }`,
      )
      .catch(() => {})
    expect(await page.evaluate('window.pwned')).toBeUndefined()
  })
})
