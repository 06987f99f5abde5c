import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { BEGUN } from '../../test/chat-home.ts'
import { FakeWindow, LONG } from '../../test/fake-window.ts'
import { commands, seen } from '../../test/vscode-fake.ts'

let here: FakeWindow

beforeEach(() => {
  here = new FakeWindow()
})

describe('the tools', () => {
  it('are registered under names that VS Code lets through, and said so in the log', () => {
    const { subscriptions } = here.start()
    expect([...seen.tools.keys()].every((name) => name.startsWith('chat_secretary_'))).toBe(true)
    expect(seen.log).toContain('info MCP tool registered: chat_secretary_get_request')
    expect(seen.log).toContain('info MCP tool registered: chat_secretary_get_first_request')
    for (const one of subscriptions) one.dispose()
    expect(seen.tools.size).toBe(0)
  })

  it('D1 give a request of the current dialog in full', async () => {
    here.twoDialogs()
    here.start()
    expect(await here.invoke('get_request', { index: 1 })).toEqual({
      success: true,
      sessionId: 'newest',
      request: LONG,
      index: 1,
      timestamp: BEGUN,
      totalRequests: 2,
    })
  })

  it('D2 give a request of the session that was named', async () => {
    here.twoDialogs()
    here.start()
    expect(await here.invoke('get_request', { index: 1, sessionId: 'older' })).toMatchObject({
      sessionId: 'older',
      request: 'Rename the module',
    })
  })

  it.each([
    [{ index: 0 }, 'Index must be 1 or greater'],
    [{ index: -1 }, 'Index must be 1 or greater'],
    [{ index: 10 }, 'Index 10 exceeds total requests (2)'],
    [{}, 'Index parameter is required'],
    [undefined, 'Index parameter is required'],
    [{ index: 1.5 }, 'Index must be a whole number'],
    [{ index: 'x' }, 'Index must be a whole number'],
    [{ index: 1, sessionId: 'nowhere' }, 'Session not found: nowhere'],
  ])('D3 D4 D5 D8 refuse %j', async (input, error) => {
    here.twoDialogs()
    here.start()
    expect(await here.invoke('get_request', input)).toEqual({ success: false, error })
  })

  it('D6 say that the chat data is gone once VS Code has deleted it', async () => {
    const path = here.home.session(here.home.window, 'gone', [{ text: 'x', answer: 'y' }])
    here.start()
    expect((await here.invoke('get_request', { index: 1 })).success).toBe(true)
    rmSync(path)
    await commands.executeCommand('copilotChatSecretary.refreshStatus')
    const refused = { success: false, error: 'Chat data not available for session' }
    expect(await here.invoke('get_request', { index: 1, sessionId: 'gone' })).toEqual(refused)
    expect(await here.invoke('get_first_request', { sessionId: 'gone' })).toEqual(refused)
  })

  it('D7 give the first request as a preview of at most 80 characters', async () => {
    here.twoDialogs()
    here.start()
    expect(await here.invoke('get_first_request', {})).toEqual({
      success: true,
      sessionId: 'newest',
      firstRequest: LONG.slice(0, 80),
      timestamp: BEGUN,
      requestsCount: 2,
    })
  })

  it('D8 say that there is no dialog, or no request in it', async () => {
    here.start()
    expect(await here.invoke('get_first_request', {})).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect(await here.invoke('get_request', { index: 1 })).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    here.home.session(here.home.window, 'empty', [])
    await commands.executeCommand('copilotChatSecretary.refreshDialogs')
    expect(await here.invoke('get_first_request', {})).toEqual({
      success: false,
      error: 'First request not available',
    })
  })

  it('D8 say that the service is unavailable where the chats cannot be looked into', async () => {
    here.home.raw(join(here.home.window, '..', 'kept'), '')
    symlinkSync('chatSessions', here.home.window)
    here.start()
    expect(await here.invoke('get_first_request', {})).toEqual({
      success: false,
      error: 'Service temporarily unavailable',
    })
  })

  it('D9 answer an exception in our own words, and log no text of it', async () => {
    here.twoDialogs()
    here.start()
    const broken = {
      get isCancellationRequested() {
        return false
      },
      onCancellationRequested: () => {
        throw new Error('secret words')
      },
    }
    const body = await here.invoke('get_request', { index: 1 }, undefined, broken)
    expect(body).toEqual({
      isError: true,
      message: expect.stringMatching(/went wrong \(incident [0-9a-f]{8}/),
    })
    expect(seen.log.join('\n')).not.toContain('secret words')
  })

  it('say what they do while they do it', () => {
    here.start()
    const tool = seen.tools.get('chat_secretary_get_request') as {
      prepareInvocation(o: object): { invocationMessage: string }
    }
    expect(tool.prepareInvocation({ input: { index: 2 } }).invocationMessage).toBe(
      'Reading request 2 of this dialog',
    )
  })

  it('put nothing that was typed in the log unless logging is on', async () => {
    here.twoDialogs()
    here.start()
    await here.invoke('get_request', { index: 1 })
    expect(seen.log.join('\n')).not.toContain('invoices')
    seen.settings.set('copilotChatSecretary.enableLogging', true)
    await here.invoke('get_request', { index: 1 })
    expect(seen.log.join('\n')).toContain('invoices')
  })
})
