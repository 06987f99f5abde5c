import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { openShop, type Shop } from './shop.ts'
import type { VscodeWindow } from './vscode-window.ts'

let shop: Shop
let window: VscodeWindow

const titles = async () => (await window.rows('Dialogs')).map((label) => label.split(', ')[0])

beforeAll(async () => {
  shop = await openShop('views')
  window = shop.window
})

describe('the views in a real VS Code', () => {
  it('show the dialogs, their requests and their answers', async () => {
    await window.command('workbench.view.extension.copilotChatSecretary')
    await eventually(titles).toEqual(['Pay in parts', 'Rename Bill to Invoice'])
    await eventually(() => window.rows('Chat Monitor')).toEqual(
      expect.arrayContaining(['Status: answered', 'Requests so far: 3 requests']),
    )
    await eventually(() => window.rows('Opened Dialog')).toHaveLength(3)
    expect((await window.rows('Opened Dialog'))[1]).toMatch(/^Request 2, .*: Round to whole cents/)
    await window.page
      .getByRole('treeitem', { name: /^Request 2/ })
      .locator('.monaco-tl-twistie')
      .click()
    await eventually(() => window.rows('Opened Dialog')).toContain(
      'Answer to request 2: Each part is rounded down; the last one takes the rest.',
    )
    await window.picture('vscode-views')
  })

  it('follow the files without being asked', async () => {
    shop.home.session(shop.chats, 'fresh', [{ text: 'Asked a moment ago' }], {
      at: Date.now() - 60_000,
    })
    await eventually(titles).toContain('Asked a moment ago')
    await eventually(() => window.rows('Chat Monitor')).toContain('Status: being answered')
    rmSync(join(shop.chats, 'fresh.jsonl'))
    await eventually(titles).not.toContain('Asked a moment ago')
  })

  it('list the dialogs of all folders, and narrow them by words', async () => {
    await window.command('copilotChatSecretary.showEverywhere')
    await eventually(titles).toContain('Something in another folder')
    window.command('copilotChatSecretary.searchDialogs').catch(() => {})
    await window.page.locator('.quick-input-widget input').fill('another FOLDER')
    await window.page.keyboard.press('Enter')
    await eventually(titles).toEqual(['Something in another folder'])
    await window.picture('vscode-search')
    await window.command('copilotChatSecretary.clearFilter')
    await eventually(titles).toHaveLength(2)
  })

  it('can be cleared, say so, and bring everything back', async () => {
    await window.command('copilotChatSecretary.clearHistory')
    await eventually(titles).toEqual([])
    await window.notification(/The list is cleared/).waitFor()
    await window.view('Dialogs').getByText('New requests will appear here').waitFor()
    await window.view('Dialogs').getByRole('button', { name: 'Show All Dialogs Again' }).click()
    await eventually(titles).toHaveLength(2)
  })

  it('say what to do in a window where nothing was asked', async () => {
    const fresh = await shop.windows.open(shop.windows.project('nothing-asked'))
    await fresh.command('workbench.view.extension.copilotChatSecretary')
    for (const [view, words] of [
      ['Chat Monitor', 'No chat in this window yet'],
      ['Opened Dialog', 'No dialog is open'],
      ['Dialogs', 'No dialogs yet'],
    ] as const)
      await fresh.view(view).getByText(words).waitFor()
    await fresh.close()
  })
})
