import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepWorkedDialog } from '../../../../test/support/worked-dialog.ts'
import { addTask } from './add-task.ts'
import { eventually } from './eventually.ts'
import { homeOf } from './home-of.ts'
import { openShop, type Shop } from './shop.ts'
import type { VscodeWindow } from './vscode-window.ts'
import { until } from './waiting.ts'

const ANSWERED_WITHIN_MS = 15_000
const CODE = 'export function refund(amount: number): number {\n  return -amount\n}\n'
const SAYS = 'Done. We decided to keep every refund in the ledger of the shop.'
let shop: Shop
let window: VscodeWindow
let file: string

const choose = (entry: string, isDone: () => Promise<boolean>) =>
  window.choose(/^Request 1,.*refunds/, entry, isDone)
const hasTab = async (title: RegExp) =>
  (await window.ask<string[]>('tabs')).some((tab) => title.test(tab))

beforeAll(async () => {
  shop = await openShop('agents')
  window = shop.window
  const project = shop.windows.project('agents')
  file = join(project, 'refund.ts')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', project, ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' },
    })
  writeFileSync(join(project, 'readme.txt'), 'before\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first', '--date', '2026-01-01T00:00:00Z')
  writeFileSync(file, CODE)
  const acts = [{ write: 'refund.ts', text: CODE }]
  keepWorkedDialog(
    homeOf(shop.windows, project),
    'with-claude',
    [{ ask: 'Write the function that refunds an amount', acts, says: SAYS, minutesAgo: 0 }],
    { lastAt: Date.now() - 300_000 },
  )
  await window.command('workbench.view.extension.copilotChatSecretary')
})

describe('every agent in a real VS Code', () => {
  it('is in the list with its name, and its dialog opens with what was done', async () => {
    await eventually(() => window.rows('Dialogs')).toContainEqual(
      expect.stringMatching(/^Write the function that refunds.*Claude Code, 1 request/),
    )
    await window.page.getByRole('treeitem', { name: /^Write the function/ }).click()
    await eventually(() => window.rows('Opened Dialog')).toHaveLength(1)
    await window.page
      .getByRole('treeitem', { name: /^Request 1,.*refunds/ })
      .locator('.monaco-tl-twistie')
      .click()
    await eventually(() => window.rows('Opened Dialog')).toEqual(
      expect.arrayContaining([`Answer to request 1: ${SAYS}`, 'refund.ts +3 −0']),
    )
    await window.picture('vscode-agents')
  })

  it('is marked where it was archived, also a chat of VS Code itself', async () => {
    const state = new DatabaseSync(join(dirname(shop.chats), 'state.vscdb'))
    state.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
    const resource = `vscode-chat-session://local/${Buffer.from('agents-older').toString('base64')}`
    state
      .prepare('INSERT INTO ItemTable (key, value) VALUES (?, ?)')
      .run('agentSessions.state.cache', JSON.stringify([{ resource, archived: true }]))
    state.close()
    await window.command('copilotChatSecretary.refreshDialogs')
    await eventually(() => window.rows('Dialogs')).toContainEqual(
      expect.stringMatching(/^Rename Bill to Invoice.*archived$/),
    )
    expect((await window.rows('Dialogs')).filter((row) => row.includes('archived'))).toHaveLength(1)
  })

  it('has its request and answer shown as a page', async () => {
    await choose('Show Request', () => hasTab(/^Preview 1\. Write the function/))
    await window.command('workbench.action.closeAllEditors')
  })

  it('answers the tools of the editor', async () => {
    const asked = { index: 1, sessionId: 'with-claude' }
    await eventually(() => shop.getRequest(asked)).toMatchObject({
      success: true,
      request: 'Write the function that refunds an amount',
    })
    const listed = async () => (await window.invoke('chat_secretary_list_dialogs', {})).dialogs
    await eventually(listed).toContainEqual(expect.objectContaining({ source: 'claude-code' }))
    // The chats of this window are there too, though code-server names its folder nowhere.
    await eventually(listed).toContainEqual(expect.objectContaining({ sessionId: 'agents-parts' }))
  })

  it('shows what changed since a request as one comparison', async () => {
    await choose('Show Changes since This Request', () => hasTab(/Changes since request 1/))
    await window.command('workbench.action.closeAllEditors')
  })

  it('says beside a line which request led to it, and opens that request', async () => {
    await window.ask('open', { path: file, line: 1 })
    await eventually(() => window.ask<string[]>('hovers', { path: file, line: 1 })).toContainEqual(
      expect.stringMatching(
        /You asked Claude Code.*refunds.*\[Open request 1\]\(command:copilotChatSecretary.openRequest/s,
      ),
    )
    window.command('copilotChatSecretary.whyThisLine').catch(() => {})
    await window.page.locator('.quick-input-widget').getByText('refunds an amount').first().click()
    await eventually(() => window.ask<string[]>('tabs')).toContainEqual(
      expect.stringMatching(/^Preview 1\. Write the function/),
    )
    await window.command('workbench.action.closeAllEditors')
  })

  it('puts a request into the chat again', async () => {
    const input = window.page.locator('.interactive-session .chat-editor-container').last()
    await choose('Insert into Chat', async () =>
      /refunds\s+an\s+amount/.test(await input.innerText()),
    )
    await input.click()
    await window.page.keyboard.press('ControlOrMeta+A')
    await window.page.keyboard.press('Delete')
  })
})

describe('search, tasks and the status in a real VS Code', () => {
  it('find code by its meaning and open it at its line', async () => {
    await until(async () => {
      await window.command('copilotChatSecretary.searchByMeaning', 'refund an amount of money')
      return (await window.rows('Search')).some((row) => row.includes('refund.ts:'))
    }, 'the result of the search')
    await window.page
      .getByRole('treeitem', { name: /refund\.ts:/ })
      .first()
      .click()
    await eventually(() => window.ask('place')).toMatchObject({ path: file, line: 0 })
  })

  it('open the dialog of a request that was found', async () => {
    const query = 'Write the function that refunds an amount'
    const row = /^Write the function.*, request$/
    await window.command('workbench.action.closeAllEditors')
    await until(async () => {
      await window.command('copilotChatSecretary.searchByMeaning', query)
      return (await window.rows('Search')).some((label) => row.test(label))
    }, 'the result of the search')
    await window.view('Search').getByRole('treeitem', { name: row }).first().click()
    await eventually(() => hasTab(/^Preview 1\. Write the function/)).toBe(true)
  })

  it('tick a task off', async () => {
    await addTask(window, 'Send the receipt')
    const row = window.view('Tasks').getByRole('treeitem', { name: /Send the receipt/ })
    await row.locator('.custom-view-tree-node-item-checkbox').click()
    const completed = async () =>
      (
        (await window.invoke('chat_secretary_recall', {})) as { openTasks?: string[] }
      ).openTasks?.some((line) => line.includes('Send the receipt')) ?? false
    await eventually(completed).toBe(false)
    await eventually(() =>
      window.page
        .getByRole('button', {
          name: /Secretary: 3 requests in this chat, 0 open tasks, Search index: /,
        })
        .count(),
    ).toBe(1)
  })

  it('answer a person who asks @secretary', async () => {
    await until(async () => (await window.ask<number>('models')) > 0, 'the model of the chat')
    const answer = window.page.locator('.interactive-session').getByText('Write the function')
    // VS Code refuses a chat whose model is not there yet: a new one asks again.
    await until(async () => {
      await window.command('workbench.action.chat.newChat')
      await window.command('workbench.action.chat.open', { query: '@secretary refund' })
      return answer
        .first()
        .waitFor({ timeout: ANSWERED_WITHIN_MS })
        .then(
          () => true,
          () => false,
        )
    }, 'the answer of @secretary')
  })
})
