import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { watchAnswers } from '../support/declared-answers.ts'
import { openLivedHouse } from '../support/lived-house.ts'
import { connectStdio } from '../support/mcp-client.ts'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { expectGoodViews } from '../support/views.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

const PRICE = 'export const price = 3\nexport const currency = "EUR"\n'

let browser: Browser
let page: Page
const problems: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  page = await browser.newPage({ reducedMotion: 'reduce' })
  page.on('pageerror', (error) => problems.push(error.message))
  watchAnswers(page, problems)
})
afterAll(async () => {
  await browser?.close()
  expect(problems).toEqual([])
})

describe('today, in a project where agents work', () => {
  let house: PageHouse
  let working: string

  beforeAll(async () => {
    house = await openHouse((home) => {
      writeProjectFile(home, 'src/price.ts', PRICE)
      working = keepWorkedDialog(
        home,
        'prices',
        [
          {
            minutesAgo: 2,
            ask: 'Put the price of a crate into a file of its own.',
            acts: [
              { write: 'src/price.ts', text: PRICE },
              { run: 'npm test', output: '1 passed' },
              { run: 'git commit -m "feat: price"', output: '[main 1a2b3c4] feat: price' },
            ],
            says: 'It is in src/price.ts.',
          },
          {
            minutesAgo: 0,
            ask: 'Show the price with two decimals.',
            acts: [
              { edit: 'src/price.ts', from: 'price = 3', to: 'price = 3.0' },
              { run: 'npm run build', fails: true, output: 'error TS1005' },
            ],
          },
        ],
        { lastAt: Date.now() - 60_000, summary: 'Prices of crates' },
      )
    })
  })
  afterAll(() => house?.stop())

  it('says what was asked, what was done for it, and what agents do now', async () => {
    await page.goto(house.url)
    const asked = page.locator('.requests > li')
    await asked.nth(1).waitFor()
    expect(await asked.nth(0).textContent()).toContain('Show the price with two decimals.')
    expect(await asked.nth(1).locator('summary').textContent()).toMatch(
      /Claude Code.*Put the price of a crate.*Tests passed.*price\.ts \+2 −0/,
    )
    await asked.nth(1).locator('summary').click()
    await asked.nth(1).getByText('It is in src/price.ts.').waitFor()
    await asked.nth(1).getByText('Commit 1a2b3c4 feat: price').waitFor()
    const agent = page.locator('.at-work > li')
    expect(await agent.textContent()).toMatch(/Claude Code.*Prices of crates.*src\/price\.ts/)
    expect(await agent.textContent()).toContain('npm run build failed with 1')
    // The agent is still at it: its failed build waits for nobody.
    expect(await page.locator('.need').count()).toBe(0)
    await expectGoodViews(page, 'today')
    await agent.getByRole('link', { name: 'src/price.ts' }).click()
    await page.locator('.source-line', { hasText: 'currency' }).waitFor()
  })

  it('links no decision to a dialog that does not exist', async () => {
    await house.tool('record_discovery', {
      type: 'decision',
      content: 'Prices have two decimals, because cents are counted',
    })
    await page.goto(house.url)
    const decided = page.locator('li', { hasText: 'Prices have two decimals' })
    await decided.waitFor()
    expect(await decided.getByRole('link').count()).toBe(0)
  })

  it('follows an agent without a reload', async () => {
    await page.goto(house.url)
    await page.locator('.at-work > li').waitFor()
    const line = (type: string, message: object) =>
      JSON.stringify({
        type,
        userType: 'external',
        isSidechain: false,
        cwd: house.home.project,
        sessionId: 'prices',
        uuid: `late-${type}`,
        timestamp: new Date().toISOString(),
        message,
      })
    const input = { command: 'npm run lint' }
    const call = { type: 'tool_use', id: 'late', name: 'Bash', input }
    const end = { type: 'tool_result', tool_use_id: 'late', content: 'fine' }
    appendFileSync(
      working,
      `${line('assistant', { id: 'ml', role: 'assistant', content: [call], stop_reason: null })}\n${line('user', { role: 'user', content: [end] })}\n`,
    )
    await page.locator('.at-work').getByText('npm run lint').waitFor()
  })
})

describe('today, after weeks of work', () => {
  let house: PageHouse
  const need = (title: string) => page.locator('.need', { hasText: title })

  beforeAll(async () => {
    house = await openLivedHouse()
  })
  afterAll(() => house?.stop())

  it('titles each request by what was asked, and keeps the days before', async () => {
    await page.goto(house.url)
    const asked = page.locator('.requests > li')
    await asked.nth(5).waitFor()
    const titles = await page.locator('.asked-title').allTextContents()
    expect(titles.slice(0, 4)).toEqual([
      'yes to “Committed. Should I also convert the invoices of last year?”',
      'commit',
      'Split invoices by tax rate',
      'why does it give up after the second try? it should go on for an hour',
    ])
    expect(titles.join()).not.toMatch(/ECONNREFUSED|\*\*|`/)
    expect(titles).toContain(
      'Uploads above 10 MB fail behind the proxy. Stream them instead of buffering.',
    )
    expect(await page.locator('.day-title').first().textContent()).toMatch(/Today|Yesterday/)
    await expectGoodViews(page, 'today-lived')
  })

  it('lists what needs the person with its reason, until it is dismissed', async () => {
    await page.goto(house.url)
    await need('yes').getByText('Shall I convert them in one go').waitFor()
    expect(await need('yes').textContent()).toContain('Asks you')
    expect(await need('why does it give up').textContent()).toMatch(
      /test failed \(npx vitest run src\/mail\).*Failing/,
    )
    await need('Ask Vera').getByText('Open task').waitFor()
    await page.getByRole('button', { name: 'Dismiss: why does it give up' }).click()
    await page.getByText('Dismissed: why does it give up').waitFor()
    await expect.poll(() => need('why does it give up').count()).toBe(0)
    await page.getByRole('button', { name: 'Dismiss: Ask Vera' }).click()
    await expect.poll(() => need('Ask Vera').count()).toBe(0)
    await page.reload()
    await need('yes').waitFor()
    expect(await page.locator('.needs').textContent()).not.toMatch(/give up|Ask Vera/)
    await page.getByRole('link', { name: 'Answer: yes' }).click()
    await page.locator('#request-3').waitFor()
  })

  it('shows a dialog as an outline: titles, the first lines of what was pasted, a rail', async () => {
    await page.goto(`${house.url}/dialogs?session=tax`)
    await page.getByRole('heading', { name: 'Split invoices by tax rate', level: 1 }).waitFor()
    const rail = page.getByRole('navigation', { name: 'Requests' })
    await rail.getByRole('link', { name: '1 Split invoices by tax rate' }).waitFor()
    const plan = page.locator('#request-1')
    await plan.getByRole('heading', { name: 'Split invoices by tax rate', level: 2 }).waitFor()
    await plan.getByRole('button', { name: /^Show all/ }).waitFor()
    await expectGoodViews(page, 'dialog-outline')
    await page.goto(`${house.url}/dialogs?session=retry`)
    await page.getByRole('heading', { name: 'Retry of mails', level: 1 }).waitFor()
    await page.getByRole('heading', { name: /^why does it give up/ }).waitFor()
  })

  it('offers to connect an agent that was found, until it is connected or dismissed', async () => {
    await page.goto(house.url)
    const offer = page.getByRole('region', { name: 'Not connected' })
    await offer.getByText('Claude Code').waitFor()
    await offer.getByRole('button', { name: 'Show changes for Claude Code' }).click()
    await offer.getByText('"mcpServers"').first().waitFor()
    await expectGoodViews(page, 'connect')
    await offer.getByRole('button', { name: 'Dismiss: Claude Code' }).click()
    await offer.waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await offer.getByRole('button', { name: 'Show changes for Claude Code' }).click()
    await offer.getByRole('button', { name: 'Write these changes' }).click()
    await offer.waitFor({ state: 'detached' })
    expect(readFileSync(house.home.path('.claude.json'), 'utf8')).toContain('secretary')
  })

  it('takes a dismissal back by undo', async () => {
    await page.goto(house.url)
    await page.getByRole('button', { name: 'Dismiss: Delete the old export' }).click()
    await expect.poll(() => need('Delete the old export').count()).toBe(0)
    await page.keyboard.press('u')
    await need('Delete the old export').waitFor()
  })
})

describe('a first visit', () => {
  let house: PageHouse

  beforeAll(async () => {
    house = await openHouse((home) => mkdirSync(home.path('.claude')))
  })
  afterAll(() => house?.stop())

  it('shows which agents are here, what would be written for one, and its first call', async () => {
    await page.goto(house.url)
    const card = page.getByRole('region', { name: 'Connect an agent' })
    await card.getByText('Waiting for the first call').waitFor()
    const health = page.locator('.health')
    await health.locator('code', { hasText: 'secretary index' }).waitFor()
    expect(await health.textContent()).not.toContain('`')
    await card.getByText(/agents not found/).click()
    expect(await card.textContent()).toContain('~/.codex')
    await card.getByRole('button', { name: 'Show changes for Claude Code' }).click()
    await card.getByText('"mcpServers"').first().waitFor()
    await card.getByRole('button', { name: 'Copy snippet' }).waitFor()
    const file = house.home.path('.claude.json')
    await expectGoodViews(page, 'set-up')
    expect(existsSync(file)).toBe(false)
    // What is written is what was shown: the person has just put a server of their own there.
    writeFileSync(file, '{ "mcpServers": { "mine": { "command": "mine" } } }\n')
    await card.getByRole('button', { name: 'Write these changes' }).click()
    await page.getByText('Look at the changes again').waitFor()
    expect(readFileSync(file, 'utf8')).not.toContain('secretary')
    await card.getByText('"mine"').first().waitFor()
    await card.getByRole('button', { name: 'Write these changes' }).click()
    await card.getByText('connected').waitFor()
    expect(readFileSync(file, 'utf8')).toContain('secretary')
    const agent = await connectStdio({ env: house.home.env })
    await agent.call('list_tasks', {})
    await card.getByText('First call received').waitFor()
    await agent.close()
    await page.reload()
    await page.getByRole('heading', { name: 'What you asked' }).waitFor()
    expect(await card.count()).toBe(0)
  })
})
