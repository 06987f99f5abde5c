import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { askInChat, typeInChat } from './ask-in-chat.ts'
import { openShop, type Shop } from './shop.ts'
import { until } from './waiting.ts'

const GET = 'chat_secretary_get_request'
let shop: Shop

beforeAll(async () => {
  shop = await openShop('typing')
  await until(async () => (await shop.window.ask<number>('models')) > 0, 'the model of the chat')
})

describe('a request that is typed in a real VS Code', () => {
  it('is there for a call made at once, in the panel', async () => {
    const { window } = shop
    await window.command('workbench.action.chat.open')
    const words = 'The very first words of this chat'
    const first = await typeInChat(window, words, GET, { index: 1 })
    expect(first).toMatchObject({ success: true, index: 1, totalRequests: 1 })
    expect(first.request).toContain(words)
    const second = await typeInChat(window, 'And the second', GET, { index: 2 })
    expect(second).toMatchObject({ success: true, totalRequests: 2, sessionId: first.sessionId })
    expect(second.request).toContain('And the second')
  })

  it('is there for a call made at once, in a chat editor', async () => {
    const { window } = shop
    await window.command('workbench.action.openChat')
    const editor = window.page.locator('.editor-instance .chat-editor-container').last()
    await editor.waitFor()
    const words = 'First words in an editor'
    const answer = await typeInChat(window, words, GET, { index: 1 }, editor)
    expect(answer).toMatchObject({ success: true, index: 1, totalRequests: 1 })
    expect(answer.request).toContain(words)
  })

  it('is the same for a tool that the server answers', async () => {
    const { window } = shop
    await window.command('workbench.action.chat.newChat')
    const words = 'Known to the server as well'
    const listed = await askInChat(window, words, 'chat_secretary_list_requests', {})
    expect(listed).toMatchObject({ success: true, totalRequests: 1 })
    const recalled = await askInChat(window, 'Go on', 'chat_secretary_recall', {})
    expect(recalled).toMatchObject({
      success: true,
      sessionId: listed.sessionId,
      totalRequests: 2,
      firstRequest: { request: expect.stringContaining(words) },
    })
    const ledger = await askInChat(window, 'And then', 'chat_secretary_ledger', {})
    expect(ledger).toMatchObject({ success: true, sessionId: listed.sessionId })
    const search = { query: 'known to the server' }
    const found = await askInChat(window, 'Find it', 'chat_secretary_search_requests', search)
    expect(found.results).toContainEqual(expect.objectContaining({ sessionId: listed.sessionId }))
  })

  it('is there for a call made at once, inline in a file', async () => {
    const { window } = shop
    const file = join(shop.windows.project('typing'), 'inline.ts')
    writeFileSync(file, 'export const parts = 3\n')
    await window.ask('open', { path: file, line: 0 })
    window.command('inlineChat.start').catch(() => {})
    const input = window.page.locator('.inline-chat .chat-editor-container').last()
    await input.waitFor()
    const words = 'Make it four parts'
    const answer = await typeInChat(window, words, GET, { index: 1 }, input, '')
    expect(answer).toMatchObject({ success: true, index: 1, totalRequests: 1 })
    expect(answer.request).toContain(words)
  })
})
