import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentsHome } from '../support/agents-home.ts'
import { seriousFindings } from '../support/axe.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

const DAY = 86_400_000
const GREET = `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`

function furnish(home: AgentsHome): void {
  home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
  keepDialog(home, 'old', ['Plant a pear tree by the gate.'], Date.now() - 40 * DAY, {
    answers: ['It stands by the gate.'],
  })
  writeProjectFile(home, 'src/greet.ts', GREET)
}

describe('what was done for requests, on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)

  beforeAll(async () => {
    here = await visit(openHouse(furnish))
    ;({ house, page } = here)
  })
  afterAll(() => here?.leave())

  it('says in a file which request led to its lines, and leads there', async () => {
    await open('/file?path=src%2Fgreet.ts')
    const behind = page.getByRole('link', { name: 'Greet people by name. Add a test for it.' })
    await behind.first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await behind.first().click()
    await page.locator('#request-1').getByText('Greet people by name').first().waitFor()
  })

  it('lists the requests for which a file was changed, with their time', async () => {
    await open('/file?path=src%2Fgreet.ts')
    await page.getByText(/^Changed for \d requests?$/).click()
    const list = page.locator('.file-requests li')
    await list.first().waitFor()
    expect(await list.allTextContents()).toContainEqual(
      expect.stringMatching(/Claude Code.*Greet people by name\. Add a test for it\..*\d/),
    )
    await expectGoodViews(page, 'file-requests')
    await list.getByRole('link', { name: 'Greet people by name. Add a test for it.' }).click()
    await page.locator('#request-1').waitFor()
  })

  it('folds the work on a request into a line that opens with the keyboard', async () => {
    await open('/dialogs?session=cc-deeds')
    const first = page.locator('#request-1')
    const line = first.locator('.deeds > summary')
    await line.getByText('Committed').waitFor()
    expect(await line.textContent()).toMatch(
      /Committed · Undone 2 files \+\d+ −\d+ test passed, 2 commands/,
    )
    await line.focus()
    await page.keyboard.press('Enter')
    const files = first.getByRole('list', { name: 'Files' })
    expect(await files.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^src\/greet\.ts \+2 −2/),
      expect.stringMatching(/^src\/greet\.test\.ts \+\d+ −\d+/),
    ])
    const ends = first.getByRole('list', { name: 'Commands' }).getByRole('listitem')
    await ends.nth(1).waitFor()
    expect(await ends.allTextContents()).toEqual([
      expect.stringMatching(/^npm test exit 1.*it is not defined/s),
      'npm test succeeded',
    ])
    await page.locator('#request-2 .deeds > summary').click()
    await page.locator('#request-2').getByText('Commit 1a2b3c4 feat: greet by name').waitFor()
    await page.locator('#request-4 .deeds > summary').getByText('Interrupted').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(overhang)).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 860 })
    await files.getByRole('link', { name: 'src/greet.ts' }).click()
    await page.locator('.source-line', { hasText: 'export function greet' }).waitFor()
  })

  it('shifts nothing when the work comes after the words', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((done) => {
      arrive = done
    })
    await page.route('**/api/v1/dialogs/ledger?*', async (route) => {
      await arrived
      await route.continue()
    })
    await open('/dialogs?session=cc-deeds')
    const last = page.locator('#request-4')
    await page.getByLabel('Answer to request 1', { exact: true }).waitFor()
    const before = await last.boundingBox()
    arrive()
    await last.locator('.deeds > summary').waitFor()
    expect(await last.boundingBox()).toEqual(before)
    await page.unrouteAll()
  })

  it('copies what goes on with a dialog: the agent’s own command, or a prompt for any agent', async () => {
    const pasted = async () => {
      const field = page.getByLabel('Find in this dialog')
      await field.fill('')
      await field.press('Control+v')
      return field.inputValue()
    }
    await open('/dialogs?session=cc-deeds')
    await page.getByRole('button', { name: 'Resume in Claude Code' }).click()
    await page.getByText('Copied the command').waitFor()
    expect(await pasted()).toBe('claude --resume cc-deeds')
    await page.getByRole('button', { name: 'Hand off' }).click()
    await page.getByText('Copied the prompt').waitFor()
    expect(await pasted()).toContain('Continue the work of another agent')
    expect(await seriousFindings(page)).toEqual([])
  })

  it('says that the file of a dialog is gone, and still shows every word', async () => {
    await open('/dialogs?session=old')
    await page.getByText('Plant a pear tree by the gate.').first().waitFor()
    rmSync(join(house.home.claudeFolder(), 'old.jsonl'))
    await expect
      .poll(
        () =>
          house
            .api<{ dialog: { fileGone?: true } }>('GET', '/api/v1/dialogs/thread?session=old')
            .then(({ dialog }) => dialog.fileGone),
        { timeout: 60_000 },
      )
      .toBe(true)
    await open('/dialogs?session=old')
    await page.getByText('Claude Code has deleted the file of this dialog').waitFor()
    await page.locator('#request-1').getByText('Plant a pear tree by the gate.').waitFor()
    await page.getByText('It stands by the gate.').waitFor()
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Hand off' }).waitFor()
    await expectGoodViews(page, 'file-gone')
  })
})
