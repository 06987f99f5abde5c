import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepWorkedDialog } from '../../../../test/support/worked-dialog.ts'
import { eventually } from './eventually.ts'
import { homeOf } from './home-of.ts'
import { openShop, type Shop } from './shop.ts'
import { until } from './waiting.ts'

const SETTING = 'copilotChatSecretary.why.annotateLine'
const CODE = 'export const vat = 19\n\nexport const untold = 1\n'
const ASKED = 'Store the rate of the tax in one place'
let shop: Shop
let file: string

/** What is drawn behind the text of the lines. */
const drawn = () =>
  shop.window.page.evaluate(
    `[...document.querySelectorAll('.view-line span')].map((one) => getComputedStyle(one, '::after').content).join(' ')`,
  )
const goTo = (line: number) => shop.window.ask('open', { path: file, line })

beforeAll(async () => {
  shop = await openShop('annotation')
  const project = shop.windows.project('annotation')
  file = join(project, 'tax.ts')
  writeFileSync(file, CODE)
  const acts = [{ write: 'tax.ts', text: CODE.split('\n')[0] ?? '' }]
  const asked = [{ ask: ASKED, acts, says: 'Done.', minutesAgo: 0 }]
  keepWorkedDialog(homeOf(shop.windows, project), 'about-tax', asked, {
    lastAt: Date.now() - 300_000,
  })
  // It is there from the first use of the extension in a window on.
  await shop.window.command('workbench.view.extension.copilotChatSecretary')
  await goTo(0)
  await until(async () => {
    const hovers = await shop.window.ask<string[]>('hovers', { path: file, line: 0 })
    return hovers.some((text) => text.includes('rate'))
  }, 'the hover')
})

describe('the line annotation in a real VS Code', () => {
  it('is not there unless somebody wants it', async () => {
    expect(await drawn()).not.toContain('Store the rate')
  })

  it('says behind the line which request led to it, as soon as it is wanted', async () => {
    await shop.window.ask('configure', { name: SETTING, value: true })
    await eventually(drawn).toMatch(/Store the rate of the tax in one place.*ago/)
  })

  it('goes with the cursor, and away with the setting', async () => {
    await goTo(2)
    await eventually(drawn).not.toContain('Store the rate')
    await goTo(0)
    await eventually(drawn).toContain('Store the rate')
    await shop.window.ask('configure', { name: SETTING, value: undefined })
    await eventually(drawn).not.toContain('Store the rate')
  })
})
