import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FrameLocator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addTask } from './add-task.ts'
import { eventually } from './eventually.ts'
import { openShop, type Shop } from './shop.ts'
import type { VscodeWindow } from './vscode-window.ts'

let shop: Shop
let window: VscodeWindow
let frame: FrameLocator

/** The page itself, inside the two frames that VS Code puts around everything that is not its own. */
const inTab = () =>
  window.page.frameLocator('iframe.webview').frameLocator('#active-frame').frameLocator('iframe')

beforeAll(async () => {
  shop = await openShop('page')
  window = shop.window
  await addTask(window, 'Weigh the parcel')
  frame = inTab()
})

describe('the page in a tab of a real VS Code', () => {
  it('shows today with what there is, and nobody types a token', async () => {
    await window.view('Chat Monitor').hover()
    await window.view('Chat Monitor').getByRole('button', { name: 'Open Page in Editor' }).click()
    await frame.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await frame.getByText('Weigh the parcel').first().waitFor()
    expect(await window.ask<string[]>('tabs')).toEqual(['Secretary'])
    await window.picture('vscode-page')
  })

  it('is one tab, however often it is asked for', async () => {
    await window.command('copilotChatSecretary.openPage')
    expect(await window.ask<string[]>('tabs')).toEqual(['Secretary'])
  })

  it('changes what there is, as it does in a browser', async () => {
    const openTasks = async () =>
      JSON.stringify((await window.invoke('chat_secretary_recall', {})).openTasks ?? [])
    expect(await openTasks()).toContain('Weigh the parcel')
    await frame.getByRole('link', { name: 'Tasks', exact: true }).click()
    await frame.getByRole('checkbox', { name: 'Weigh the parcel' }).click()
    await eventually(openTasks).not.toContain('Weigh the parcel')
  })

  it('opens a file in the editor around it', async () => {
    const file = join(shop.windows.project('page'), 'parcel.ts')
    writeFileSync(file, 'export const grams = 1\n')
    const inner = window.page.frames().find((one) => one.url().includes('/proxy/'))
    await inner?.evaluate(
      `history.pushState(null, '', 'file?path=parcel.ts'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await frame.getByRole('link', { name: 'Open in VS Code' }).click()
    await eventually(() => window.ask('place')).toMatchObject({ path: file, line: 0 })
  })
})
