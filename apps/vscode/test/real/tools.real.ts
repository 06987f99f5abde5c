import { readdirSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { askInChat } from './ask-in-chat.ts'
import { eventually } from './eventually.ts'
import { BEGUN, LONG, openShop, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop('tools')
})

describe('the tools in a real VS Code', () => {
  it('N5 are offered to the models, with the description of the definition', async () => {
    const tools =
      await shop.window.ask<{ name: string; description: string; inputSchema: object }[]>('tools')
    for (const { name, modelDescription, inputSchema } of manifest.contributes.languageModelTools)
      expect(tools.find((tool) => tool.name === name)).toMatchObject({
        description: modelDescription,
        inputSchema,
      })
    expect(tools.map(({ name }) => name)).not.toContain('copilot_chat_secretary_get_request')
  })

  it('start the extension, and not before', async () => {
    expect(await shop.window.ask('isActive')).toBe(false)
    expect(await shop.getFirstRequest({})).toMatchObject({ success: true })
    expect(await shop.window.ask('isActive')).toBe(true)
  })

  it('D1 D2 give a request in full, of the current dialog or of another', async () => {
    expect(await shop.getRequest({ index: 1 })).toEqual({
      success: true,
      sessionId: 'tools-parts',
      request: LONG,
      index: 1,
      timestamp: BEGUN,
      totalRequests: 3,
    })
    expect(await shop.getRequest({ index: 1, sessionId: 'tools-older' })).toMatchObject({
      sessionId: 'tools-older',
      request: 'Rename Bill to Invoice',
    })
    expect(await shop.getRequest({ index: 3, sessionId: 'vs-log' })).toMatchObject({
      request: 'Write a test for it\nand run it 🧪',
      totalRequests: 3,
    })
  })

  it.each([
    [{ index: 0 }, 'Index must be 1 or greater'],
    [{ index: -1 }, 'Index must be 1 or greater'],
    [{ index: 10 }, 'Index 10 exceeds total requests (3)'],
    [{}, 'Index parameter is required'],
    [{ index: 2.5 }, 'Index must be a whole number'],
    [{ index: 'x' }, 'Index must be a whole number'],
    [{ index: 1, sessionId: 'nowhere' }, 'Session not found: nowhere'],
  ])('D3 D4 D5 D8 refuse %j in the words of the contract', async (input, error) => {
    expect(await shop.getRequest(input)).toEqual({ success: false, error })
  })

  it('D6 say so where the chat data is gone', async () => {
    const path = shop.home.session(shop.chats, 'gone', [{ text: 'x', answer: 'y' }], {
      at: BEGUN - 9e6,
    })
    await shop.window.command('copilotChatSecretary.refreshDialogs')
    expect(await shop.getRequest({ index: 1, sessionId: 'gone' })).toMatchObject({ success: true })
    rmSync(path)
    await shop.window.command('copilotChatSecretary.refreshDialogs')
    const error = 'Chat data not available for session'
    expect(await shop.getRequest({ index: 1, sessionId: 'gone' })).toEqual({
      success: false,
      error,
    })
  })

  it('D7 D8 give the first request, or say why not', async () => {
    expect(await shop.getFirstRequest({})).toEqual({
      success: true,
      sessionId: 'tools-parts',
      firstRequest: LONG.slice(0, 80),
      timestamp: BEGUN,
      requestsCount: 3,
    })
    expect(await shop.getFirstRequest({ sessionId: 'tools-empty' })).toEqual({
      success: false,
      error: 'First request not available',
    })
    expect(await shop.getFirstRequest({ sessionId: 'nowhere' })).toEqual({
      success: false,
      error: 'Session not found: nowhere',
    })
  })

  it('D9 turn an exception into a result', async () => {
    const failed = await shop.window.invoke(
      'chat_secretary_get_request',
      { index: 1 },
      'invokeFailing',
    )
    expect(failed).toEqual({
      isError: true,
      message: expect.stringMatching(/incident [0-9a-f]{8}/),
    })
    expect(await shop.getRequest({ index: 1 })).toMatchObject({ success: true })
  })

  it('are about the chat that they are called from, down to the request that is being answered', async () => {
    const { window } = shop
    await window.command('workbench.view.extension.copilotChatSecretary')
    const wish = 'Send the receipt by mail as well'
    expect(await askInChat(window, wish, 'chat_secretary_get_request', { index: 1 })).toMatchObject(
      {
        success: true,
        index: 1,
        totalRequests: 1,
      },
    )
    const answer = await askInChat(
      window,
      'What did I ask first?',
      'chat_secretary_get_first_request',
      {},
    )
    expect(answer).toMatchObject({
      success: true,
      firstRequest: expect.stringContaining(wish),
      requestsCount: 2,
    })
    expect(answer.sessionId).not.toBe('tools-parts')
    // VS Code itself keeps the chat where the extension looks for it.
    await eventually(() => readdirSync(shop.chats)).toContain(`${answer.sessionId}.jsonl`)
    await eventually(() => window.page.getByText('You asked:').count()).toBeGreaterThanOrEqual(2)
    await eventually(() => window.rows('Chat Monitor')).toContain('Requests so far: 2 requests')
    await eventually(() => window.rows('Chat Monitor')).toContain('Status: answered')
    await window.picture('vscode-chat')
  })

  it('come with those of the MCP server, once it is started', async () => {
    const { window } = shop
    const id = 'secretary.copilot-chat-secretary/copilotChatSecretary.server.Secretary'
    await window.command('workbench.mcp.startServer', id)
    const offered = async () =>
      (await window.ask<{ name: string }[]>('tools'))
        .map(({ name }) => name)
        .filter((name) => name.startsWith('mcp_secretary_'))
    await eventually(async () => (await offered()).length).toBeGreaterThan(10)
    // A person reads them too, in menus and confirmations.
    for (const { name, description } of await window.ask<{ name: string; description: string }[]>(
      'tools',
    ))
      if (/secretary/.test(name)) expect(description, name).not.toMatch(/## |```/)
    // What is about dialogs exists once: the editor has it.
    const all = (await window.ask<{ name: string }[]>('tools')).map(({ name }) => name)
    for (const { name } of manifest.contributes.languageModelTools)
      expect(all.filter((one) => one.endsWith(name))).toEqual([name])
    expect(await window.invoke('mcp_secretary_list_tasks', {})).toMatchObject({
      success: true,
      data: { tasks: expect.any(Array), total: expect.any(Number) },
    })
  })
})
