import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { ASKED, LONG, openShop, type Shop } from './shop.ts'
import type { VscodeWindow } from './vscode-window.ts'
import { until } from './waiting.ts'

let shop: Shop
let window: VscodeWindow

const clipboard = () => window.ask<string>('clipboard')
const copy = async (row: RegExp, entry: string) => {
  const before = await clipboard()
  await window.choose(row, entry, async () => (await clipboard()) !== before)
}

beforeAll(async () => {
  shop = await openShop('commands')
  window = shop.window
  await window.command('workbench.view.extension.copilotChatSecretary')
  await until(async () => (await window.rows('Opened Dialog')).length === 3, 'the opened dialog')
})

describe('the commands in a real VS Code', () => {
  it('copy a request and its answer from the menu of the row', async () => {
    await copy(/^Request 1,/, 'Copy Request')
    expect(await clipboard()).toBe(LONG)
    await copy(/^Request 2,/, 'Copy Answer')
    expect(await clipboard()).toBe(ASKED[1]?.answer)
  })

  it('copy a dialog as JSON from the menu of the row', async () => {
    await copy(/^Rename Bill to Invoice/, 'Copy Dialog as JSON')
    expect(JSON.parse(await clipboard())).toMatchObject({
      sessionId: 'commands-older',
      requests: [{ index: 1, request: 'Rename Bill to Invoice', answer: 'Renamed in 14 files.' }],
    })
  })

  it('hand a dialog on as markdown', async () => {
    await window.command('copilotChatSecretary.exportMarkdown')
    await eventually(() => window.ask('document')).toMatch(/^# Pay in parts/)
    expect(await window.ask('document')).toContain(
      '> Round to whole cents, never in our favour\n\nEach part is rounded down',
    )
    await window.command('workbench.action.revertAndCloseActiveEditor')
  })

  it('show the log', async () => {
    await window.command('copilotChatSecretary.showLogs')
    const panel = window.page.locator('.panel')
    await panel.locator('.monaco-editor').first().click()
    // The tools are registered first; by now other lines may have pushed them out of sight.
    await window.page.keyboard.press('ControlOrMeta+Home')
    await panel.getByText('MCP tool registered: chat_secretary_').first().waitFor()
    await window.command('workbench.action.closePanel')
  })

  it('answer other extensions', async () => {
    expect(await window.command('copilotChatSecretary.api.getStatus')).toMatchObject({
      status: 'completed',
      sessionId: 'commands-parts',
    })
    expect(await window.command('copilotChatSecretary.api.getCurrentDialog')).toMatchObject({
      sessionId: 'commands-parts',
      requestsCount: 3,
    })
    expect(await window.command('copilotChatSecretary.api.getDialogHistory')).toMatchObject([
      { sessionId: 'commands-parts' },
      { sessionId: 'commands-older' },
    ])
    expect(
      await window.command('copilotChatSecretary.api.getDialogHistory', { limit: -1 }),
    ).toHaveLength(2)
    expect(
      await window.command('copilotChatSecretary.api.getSession', 'commands-older'),
    ).toMatchObject({
      requests: [{ index: 1, request: 'Rename Bill to Invoice', answer: 'Renamed in 14 files.' }],
    })
  })

  it('trust the rules of the project once the person has said so', async () => {
    const rules = join(shop.windows.project('commands'), '.guide', 'guidelines')
    mkdirSync(rules, { recursive: true })
    writeFileSync(join(rules, 'own.md'), '# Own rule\n')
    const done = window.command('copilotChatSecretary.trustRules')
    await window.page.getByText('.guide/guidelines/own.md').waitFor()
    await window.page.getByRole('button', { name: 'Trust These Rules' }).click()
    await done
    await window.notification(/Agents now follow the rules/).waitFor()
    await window.command('copilotChatSecretary.trustRules')
    await window.notification(/no rules that wait for your trust/).waitFor()
  })

  it('serve the page until the window is closed', async () => {
    await window.view('Chat Monitor').hover()
    const opening = window.page.context().waitForEvent('page')
    await window.view('Chat Monitor').getByRole('button', { name: 'Open Page in Browser' }).click()
    const page = await opening
    const address = page.url().replace(/\?.*$/, '')
    await page.getByRole('link', { name: 'Dialogs' }).first().waitFor()
    await page.close()
    const isServed = () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    expect(await isServed()).toBe(true)
    await window.close()
    await eventually(isServed).toBe(false)
  })
})
