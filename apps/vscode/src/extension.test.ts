import { rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ExtensionContext, LanguageModelToolResult } from 'vscode'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import manifest from '../package.json' with { type: 'json' }
import { BEGUN, ChatHome, requestOf } from '../test/chat-home.ts'
import { commands, reset, seen, Uri } from '../test/vscode-fake.ts'
import { activate } from './extension.ts'

const LONG = `Make the export of invoices resumable, ${'and keep the order of the lines '.repeat(6)}`
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }

let home: ChatHome
let exported: object | undefined

beforeEach(() => {
  reset()
  exported = undefined
  const folder = temporaryFolder()
  home = new ChatHome(join(folder, 'User'), join(folder, 'project'))
})

/** Starts the extension as VS Code would in a window over the home's project, or over no folder at all. */
function start({ folder = true } = {}): ExtensionContext {
  const context = {
    storageUri: folder ? Uri.file(join(dirname(home.window), 'secretary.copilot-chat-secretary')) : undefined,
    globalStorageUri: Uri.file(join(home.user, 'globalStorage', 'secretary.copilot-chat-secretary')),
    extensionPath: '/extension',
    extension: { packageJSON: manifest },
    workspaceState: { get: () => undefined, update: async () => {} },
    subscriptions: [] as { dispose(): unknown }[],
  }
  commands.registerCommand('workbench.action.chat.export', (target) => {
    if (exported) home.raw((target as Uri).fsPath, JSON.stringify(exported))
  })
  activate(context as object as ExtensionContext)
  onTestFinished(() => {
    for (const one of context.subscriptions) one.dispose()
  })
  return context as object as ExtensionContext
}

async function invoke(name: string, input: unknown, toolInvocationToken?: unknown): Promise<Record<string, unknown>> {
  const tool = seen.tools.get(`chat_secretary_${name}`) as { invoke(o: object, t: object): Promise<LanguageModelToolResult> }
  const { content } = await tool.invoke({ input, toolInvocationToken }, token)
  expect(content).toHaveLength(1)
  return JSON.parse((content[0] as { value: string }).value) as Record<string, unknown>
}

const told = (id: string) => ({
  sessionResource: { scheme: 'vscode-chat-session', authority: 'local', path: `/${Buffer.from(id).toString('base64')}` },
})

function twoDialogs(): void {
  home.session(home.window, 'older', [{ text: 'Rename the module', answer: 'Renamed.' }], { at: BEGUN - 3_600_000 })
  home.session(
    home.window,
    'newest',
    [
      { text: LONG, answer: 'Done, with a marker.' },
      { text: 'Say so in the log', answer: 'It says so.' },
    ],
    { title: 'Invoices' },
  )
}

describe('the tools', () => {
  it('are registered under names that VS Code lets through, and said so in the log', () => {
    const { subscriptions } = start()
    expect([...seen.tools.keys()]).toEqual(['chat_secretary_get_request', 'chat_secretary_get_first_request'])
    expect(seen.log).toContain('info MCP tool registered: chat_secretary_get_request')
    expect(seen.log).toContain('info MCP tool registered: chat_secretary_get_first_request')
    for (const one of subscriptions) one.dispose()
    expect(seen.tools.size).toBe(0)
  })

  it('D1 give a request of the current dialog in full', async () => {
    twoDialogs()
    start()
    expect(await invoke('get_request', { index: 1 })).toEqual({
      success: true,
      sessionId: 'newest',
      request: LONG,
      index: 1,
      timestamp: BEGUN,
      totalRequests: 2,
    })
  })

  it('D2 give a request of the session that was named', async () => {
    twoDialogs()
    start()
    expect(await invoke('get_request', { index: 1, sessionId: 'older' })).toMatchObject({
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
    twoDialogs()
    start()
    expect(await invoke('get_request', input)).toEqual({ success: false, error })
  })

  it('D6 say that the chat data is gone once VS Code has deleted it', async () => {
    const path = home.session(home.window, 'gone', [{ text: 'x', answer: 'y' }])
    start()
    expect((await invoke('get_request', { index: 1 })).success).toBe(true)
    rmSync(path)
    await commands.executeCommand('copilotChatSecretary.refreshStatus')
    expect(await invoke('get_request', { index: 1, sessionId: 'gone' })).toEqual({
      success: false,
      error: 'Chat data not available for session',
    })
  })

  it('D7 give the first request as a preview of at most 80 characters', async () => {
    twoDialogs()
    start()
    expect(await invoke('get_first_request', {})).toEqual({
      success: true,
      sessionId: 'newest',
      firstRequest: LONG.slice(0, 80),
      timestamp: BEGUN,
      requestsCount: 2,
    })
  })

  it('D8 say that there is no dialog, or no request in it', async () => {
    start()
    expect(await invoke('get_first_request', {})).toEqual({ success: false, error: 'No active dialog found' })
    expect(await invoke('get_request', { index: 1 })).toEqual({ success: false, error: 'No active dialog found' })
    home.session(home.window, 'empty', [])
    await commands.executeCommand('copilotChatSecretary.refreshDialogs')
    expect(await invoke('get_first_request', {})).toEqual({ success: false, error: 'First request not available' })
  })

  it('D8 say that the service is unavailable where the chats cannot be looked into', async () => {
    home.raw(join(home.window, '..', 'kept'), '')
    symlinkSync('chatSessions', home.window)
    start()
    expect(await invoke('get_first_request', {})).toEqual({ success: false, error: 'Service temporarily unavailable' })
  })

  it('D9 answer an exception in our own words, and log no text of it', async () => {
    twoDialogs()
    start()
    const broken = {
      get isCancellationRequested() {
        return false
      },
      onCancellationRequested: () => {
        throw new Error('secret words')
      },
    }
    const tool = seen.tools.get('chat_secretary_get_request') as {
      invoke(o: object, t: object): Promise<LanguageModelToolResult>
    }
    const { content } = await tool.invoke({ input: { index: 1 } }, broken)
    const body = JSON.parse((content[0] as { value: string }).value)
    expect(body).toEqual({ isError: true, message: expect.stringMatching(/unforeseen.*incident [0-9a-f]{8}/) })
    expect(seen.log.join('\n')).not.toContain('secret words')
  })

  it('say what they do while they do it', () => {
    start()
    const tool = seen.tools.get('chat_secretary_get_request') as { prepareInvocation(o: object): { invocationMessage: string } }
    expect(tool.prepareInvocation({ input: { index: 2 } }).invocationMessage).toBe('Reading request 2 of this dialog')
  })

  it('put nothing that was typed in the log unless logging is on', async () => {
    twoDialogs()
    start()
    await invoke('get_request', { index: 1 })
    expect(seen.log.join('\n')).not.toContain('invoices')
    seen.settings.set('copilotChatSecretary.enableLogging', true)
    await invoke('get_request', { index: 1 })
    expect(seen.log.join('\n')).toContain('invoices')
  })
})

describe('the current dialog', () => {
  it('is the one that the call came from', async () => {
    twoDialogs()
    home.session(home.window, 'open', [{ text: 'Only this' }], { at: BEGUN - 7_200_000 })
    start()
    expect(await invoke('get_request', { index: 1 }, told('open'))).toMatchObject({ sessionId: 'open', request: 'Only this' })
  })

  it('is known before VS Code has written it down', async () => {
    twoDialogs()
    exported = { requests: [requestOf({ requestId: 'r1', text: 'Unwritten so far' }, 0)] }
    start()
    expect(await invoke('get_request', { index: 1 }, told('brand-new'))).toMatchObject({
      success: true,
      sessionId: 'brand-new',
      request: 'Unwritten so far',
      totalRequests: 1,
    })
  })

  it('gains what the file lacks, joined by the ids of the requests', async () => {
    home.session(home.window, 'behind', [{ requestId: 'r1', text: 'First', answer: 'ok' }])
    exported = {
      requests: [
        requestOf({ requestId: 'r1', text: 'First', answer: 'ok' }, 0),
        requestOf({ requestId: 'r2', text: 'Second' }, 1),
      ],
    }
    start()
    expect(await invoke('get_request', { index: 2 }, told('behind'))).toMatchObject({ request: 'Second', totalRequests: 2 })
    home.session(
      home.window,
      'behind',
      [
        { requestId: 'r1', text: 'First', answer: 'ok' },
        { requestId: 'r2', text: 'Second', answer: 'ok' },
        { requestId: 'r3', text: 'Third' },
      ],
      { at: Date.now() + 1000 },
    )
    await commands.executeCommand('copilotChatSecretary.refreshStatus')
    expect(await invoke('get_request', { index: 3 }, told('behind'))).toMatchObject({ request: 'Third', totalRequests: 3 })
  })

  it('is looked up anew for every call, as long as VS Code writes nothing', async () => {
    exported = { requests: [requestOf({ requestId: 'r1', text: 'First' }, 0)] }
    start()
    expect(await invoke('get_first_request', {}, told('unwritten'))).toMatchObject({ requestsCount: 1 })
    await new Promise((resolve) => setTimeout(resolve, 5))
    exported = { requests: [requestOf({ requestId: 'r1', text: 'First' }, 0), requestOf({ requestId: 'r2', text: 'Second' }, 1)] }
    expect(await invoke('get_first_request', {}, told('unwritten'))).toMatchObject({ requestsCount: 2 })
  })

  it('is never one of another folder', async () => {
    home.session(home.folder('elsewhere', '/elsewhere'), 'foreign', [{ text: 'x' }])
    start()
    expect(await invoke('get_first_request', {})).toEqual({ success: false, error: 'No active dialog found' })
    expect(await invoke('get_first_request', { sessionId: 'foreign' })).toMatchObject({ success: true })
  })

  it('lies with the empty windows where no folder is open, in any profile', async () => {
    home.session(home.empty, 'folderless', [{ text: 'What is a monad?' }])
    start({ folder: false })
    expect(await invoke('get_first_request', {})).toMatchObject({ sessionId: 'folderless' })
  })

  it('is found beside a broken and a huge file', async () => {
    twoDialogs()
    home.raw(join(home.window, 'broken.jsonl'), '{"kind":0,"v":{"requests":[{')
    home.raw(join(home.window, 'binary.json'), Buffer.alloc(2_000, 0xff))
    home.raw(
      join(home.window, 'huge.jsonl'),
      `{"kind":0,"v":{"requests":[]}}\n${'{"kind":1,"k":["inputState"],"v":"x"}\n'.repeat(200_000)}`,
    )
    start()
    expect(await invoke('get_request', { index: 2, sessionId: 'newest' })).toMatchObject({
      success: true,
      request: 'Say so in the log',
    })
  })
})

describe('the server', () => {
  it('is handed over with the project and the database of the settings', () => {
    seen.settings.set('copilotChatSecretary.server.project', '/work/shop')
    seen.settings.set('copilotChatSecretary.server.databaseUrl', 'postgres://team/secretary')
    start()
    expect(seen.providers.get('copilotChatSecretary.server')?.provideMcpServerDefinitions()).toMatchObject([
      {
        label: 'Secretary',
        command: process.execPath,
        args: [join('/extension', 'server', 'dist', 'secretary.js'), 'mcp'],
        env: { SECRETARY_PROJECT: '/work/shop', SECRETARY_DATABASE_URL: 'postgres://team/secretary' },
      },
    ])
  })

  it('stays away where it is turned off', () => {
    seen.settings.set('copilotChatSecretary.server.enabled', false)
    start()
    expect(seen.providers.get('copilotChatSecretary.server')?.provideMcpServerDefinitions()).toEqual([])
  })
})

it('every command of the manifest is there, and nothing besides', () => {
  start()
  const own = [...seen.commands.keys()].filter((name) => name.startsWith('copilotChatSecretary.'))
  expect(own.sort()).toEqual(manifest.contributes.commands.map(({ command }) => command).sort())
})

it('N5 the manifest offers the tools under the names that are registered', () => {
  start()
  expect(manifest.contributes.languageModelTools.map(({ name }) => name)).toEqual([...seen.tools.keys()])
  expect(manifest.activationEvents).toEqual([...seen.tools.keys()].map((name) => `onLanguageModelTool:${name}`))
})
