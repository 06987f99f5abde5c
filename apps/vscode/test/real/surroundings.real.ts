import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASKED, openShop, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop('surroundings')
})

describe('what is around the extension in a real VS Code', () => {
  it('a remote window leaves it working on the side of the chats', async () => {
    const { remoteName, extensionKind, folderScheme } =
      await shop.window.ask<Record<string, string | null>>('info')
    // The window is in the browser; the folder, the chats and the extension are on the side of the server.
    expect(remoteName).toBe(shop.windows.host)
    expect(extensionKind).toBe('Workspace')
    expect(folderScheme).toBe('file')
    expect(await shop.window.command('copilotChatSecretary.api.getCurrentDialog')).toMatchObject({
      sessionId: 'surroundings-parts',
      chatJsonPath: join(shop.chats, 'surroundings-parts.jsonl'),
    })
    expect(shop.chats.startsWith(shop.windows.user)).toBe(true)
    expect(await shop.getRequest({ index: 2 })).toMatchObject({
      success: true,
      request: ASKED[1]?.text,
    })
  })

  it('broken and huge files cost themselves alone', async () => {
    const { home, chats } = shop
    home.raw(join(chats, 'broken.jsonl'), '{"kind":0,"v":{"requests":[{"message"')
    home.raw(join(chats, 'binary.json'), Buffer.alloc(100_000, 0xfe))
    home.raw(
      join(chats, 'huge.jsonl'),
      `{"kind":0,"v":{"version":3,"requests":[],"padding":"${'x'.repeat(70 << 20)}"}}\n`,
    )
    await shop.window.command('copilotChatSecretary.refreshDialogs')
    expect(await shop.getRequest({ index: 2, sessionId: 'surroundings-parts' })).toMatchObject({
      success: true,
      request: ASKED[1]?.text,
    })
    for (const name of ['broken.jsonl', 'binary.json', 'huge.jsonl']) rmSync(join(chats, name))
  })

  it('D8 a second window has its own dialogs, and none while nothing was asked there', async () => {
    const { windows } = shop
    const second = await windows.open(windows.project('second'))
    expect(await second.invoke('chat_secretary_get_first_request', {})).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect(
      await second.invoke('chat_secretary_get_first_request', { sessionId: 'surroundings-parts' }),
    ).toMatchObject({
      success: true,
    })
    expect(await shop.getRequest({ index: 1, sessionId: 'surroundings-parts' })).toMatchObject({
      success: true,
    })
    const { storage = '' } = await second.ask<{ storage?: string }>('info')
    const folder = join(dirname(storage), 'chatSessions')
    rmSync(folder, { recursive: true, force: true })
    symlinkSync('chatSessions', folder)
    expect(await second.invoke('chat_secretary_get_first_request', {})).toEqual({
      success: false,
      error: 'Service temporarily unavailable',
    })
    await second.close()
  })

  it('a window without a folder has the dialogs of such windows', async () => {
    mkdirSync(shop.home.empty, { recursive: true })
    shop.home.session(shop.home.empty, 'folderless', [
      { text: 'What is a monad?', answer: 'A pattern.' },
    ])
    const empty = await shop.windows.open()
    expect(await empty.invoke('chat_secretary_get_request', { index: 1 })).toMatchObject({
      sessionId: 'folderless',
      request: 'What is a monad?',
    })
    await empty.close()
  })

  it('nothing that was typed is in the log, and the registration is', () => {
    const { extensionLog } = shop.windows
    expect(extensionLog).toContain('MCP tool registered: chat_secretary_get_request')
    expect(extensionLog).toContain('MCP tool registered: chat_secretary_get_first_request')
    for (const words of ['customers', 'Round to', 'monad', 'Renamed'])
      expect(extensionLog).not.toContain(words)
  })
})
