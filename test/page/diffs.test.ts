import { afterAll, beforeAll, describe, it } from 'vitest'
import { openHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('a change by an agent that keeps a database, or a document', () => {
  let here: Visit

  beforeAll(async () => {
    here = await visit(
      openHouse((home) => {
        home.opencode('deeds.json')
        home.cursor('deeds.json')
        home.cline('deeds.json')
        home.gemini('deeds.json')
        home.vscode('deeds.jsonl', 'vs-deeds.jsonl')
      }),
    )
  })
  afterAll(() => here?.leave())

  it.each(['oc-deeds', 'cur-deeds', '1768800000000', 'gem-deeds-doc', 'vs-deeds'])(
    'opens as a diff: %s',
    async (session) => {
      const { page, house } = here
      await page.goto(`${house.url}/dialogs?session=${session}`)
      const request = page.locator('li:has(.deeds)', { hasText: 'greet.ts' }).first()
      await page.locator('.deeds > summary', { hasText: /\+\d/ }).first().click()
      const file = request.getByRole('list', { name: 'Files' }).getByRole('listitem').first()
      await file.getByText('Diff').click()
      await file.locator('.diff .added', { hasText: 'greet(name' }).waitFor()
      if (session === 'oc-deeds') await expectGoodViews(page, 'diff')
    },
  )
})
