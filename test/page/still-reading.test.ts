import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

const GREET = `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`
const READING = 'Dialogs are still being read: 1 to go'
const VIEWS: readonly (readonly [name: string, path: string, shows: string])[] = [
  ['today', '/', 'Greet people by name'],
  ['dialogs', '/dialogs', 'Greet people by name'],
  ['requests', '/dialogs?q=greet', 'Greet people by name'],
  ['dialog', '/dialogs?session=cc-deeds', 'Greet people by name'],
  ['file', '/file?path=src%2Fgreet.ts', 'export function greet'],
  ['search', '/search?by=all&q=greet', 'Greet people by name'],
]

describe('while dialogs are being read', () => {
  let house: PageHouse
  let here: Visit
  let note: string
  const pages = new Map<string, Page>()
  const line = (page: Page) => page.getByText(READING)

  beforeAll(async () => {
    here = await visit(
      openHouse((home) => {
        home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
        writeProjectFile(home, 'src/greet.ts', GREET)
      }),
    )
    ;({ house } = here)
    await here.page.goto(`${house.url}/dialogs`)
    await here.say('Greet people by name')
    // A dialog comes whose project is told by a file that nobody has written yet: reading it waits for that.
    const folder = house.home.path('.gemini', 'tmp', 'slow')
    note = join(folder, '.project_root')
    mkdirSync(dirname(note), { recursive: true })
    execFileSync('mkfifo', [note])
    house.home.write(
      join(folder, 'chats', 'session-2026-01-17T09-00-slow.json'),
      house.home.sample('gemini-cli/session.json'),
    )
  })
  afterAll(async () => {
    await letRead()
    await here?.leave()
  })

  async function letRead(): Promise<void> {
    await writeFile(note, house.home.project)
    rmSync(note)
    await writeFile(note, house.home.project)
  }

  it('every view shows what there is, and says in one line that there may be more', async () => {
    for (const [name, path, shows] of VIEWS) {
      // Of its own: a browser opens six connections to a server, and each page holds one.
      const page = await here.browser.newPage({ reducedMotion: 'reduce' })
      pages.set(name, page)
      await page.goto(`${house.url}${path}`)
      await page.getByText(shows).first().waitFor()
      await line(page).waitFor()
      expect(await line(page).count(), name).toBe(1)
    }
    const [today] = pages.values()
    if (today) await expectGoodViews(today, 'still-reading')
  })

  it('and the line goes away by itself, in every view', async () => {
    const [today] = pages.values()
    await today?.keyboard.press('/')
    await today?.getByRole('combobox', { name: 'Search everything' }).fill('greet')
    await today?.getByRole('dialog').getByText(READING).waitFor()
    await letRead()
    for (const page of pages.values())
      await page.getByText('still being read').first().waitFor({ state: 'detached' })
    await pages.get('dialogs')?.locator('.row', { hasText: 'Gemini CLI' }).waitFor()
  })
})
