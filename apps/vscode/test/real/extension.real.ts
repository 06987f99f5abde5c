import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ChatHome } from '../chat-home.ts'
import { vscode } from '../install-vscode.mjs'
import { RealVscode, until, type VscodeWindow } from './real-vscode.ts'

const out = fileURLToPath(new URL('../../out/', import.meta.url))
const mutationLog = fileURLToPath(new URL('../../../../test/samples/dialogs/vscode/log.jsonl', import.meta.url))
/** Lately, as the pictures show it. */
const BEGUN = Date.now() - 20 * 60_000
const LONG = `Let customers pay an invoice in parts. ${'Every part must appear on the receipt, with its date. '.repeat(4)}`
const ASKED = [
  { text: LONG, answer: 'A payment now belongs to an invoice and has an amount and a date.\n\nThe receipt lists them in order.' },
  { text: 'Round to whole cents, never in our favour', answer: 'Each part is rounded down; the last one takes the rest.' },
  { text: 'Add the test for three parts of 100.00', answer: 'Added: 33.33, 33.33 and 33.34.' },
]

const vs = new RealVscode(vscode)
let shop: VscodeWindow
let home: ChatHome
let chats: string

const get = (input: unknown) => shop.invoke('chat_secretary_get_request', input)
const first = (input: unknown) => shop.invoke('chat_secretary_get_first_request', input)
const titles = async () => (await shop.rows('Dialogs')).map((label) => label.split(', ')[0])
const eventually = <T>(what: () => Promise<T>) => expect.poll(what, { timeout: 60_000, interval: 200 })

beforeAll(async () => {
  const vsix = readdirSync(out).find((name) => name.endsWith('.vsix'))
  if (!vsix) throw new Error('There is no .vsix: npm run package in apps/vscode makes it')
  await vs.start(join(out, vsix))
  const project = vs.project('shop')
  shop = await vs.open(project)
  const { storage = '' } = await shop.ask<{ storage?: string }>('info')
  home = new ChatHome(join(vs.userData, 'User'), project)
  chats = join(dirname(storage), 'chatSessions')
  home.session(chats, 'older', [{ text: 'Rename Bill to Invoice', answer: 'Renamed in 14 files.' }], { at: BEGUN - 9e7 })
  home.session(chats, 'empty', [], { at: BEGUN - 8e6 })
  home.session(chats, 'parts', ASKED, { title: 'Pay in parts', at: BEGUN })
  const elsewhere = home.folder('elsewhere', '/elsewhere')
  home.session(elsewhere, 'elsewhere', [{ text: 'Something in another folder', answer: 'Yes.' }])
  copyFileSync(mutationLog, join(elsewhere, 'vs-log.jsonl'))
})

afterAll(() => vs.stop())

describe('the tools in a real VS Code', () => {
  it('N5 are offered to the models, with the description of the definition', async () => {
    const tools = await shop.ask<{ name: string; description: string; inputSchema: object }[]>('tools')
    for (const { name, modelDescription, inputSchema } of manifest.contributes.languageModelTools)
      expect(tools.find((tool) => tool.name === name)).toMatchObject({ description: modelDescription, inputSchema })
    expect(tools.map(({ name }) => name)).not.toContain('copilot_chat_secretary_get_request')
  })

  it('start the extension, and not before', async () => {
    expect(await shop.ask('isActive')).toBe(false)
    expect(await first({})).toMatchObject({ success: true })
    expect(await shop.ask('isActive')).toBe(true)
  })

  it('D1 D2 give a request in full, of the current dialog or of another', async () => {
    expect(await get({ index: 1 })).toEqual({
      success: true,
      sessionId: 'parts',
      request: LONG,
      index: 1,
      timestamp: BEGUN,
      totalRequests: 3,
    })
    expect(await get({ index: 1, sessionId: 'older' })).toMatchObject({ sessionId: 'older', request: 'Rename Bill to Invoice' })
    expect(await get({ index: 3, sessionId: 'vs-log' })).toMatchObject({
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
    expect(await get(input)).toEqual({ success: false, error })
  })

  it('D6 say so where the chat data is gone', async () => {
    const path = home.session(chats, 'gone', [{ text: 'x', answer: 'y' }], { at: BEGUN - 9e6 })
    await shop.command('copilotChatSecretary.refreshDialogs')
    expect(await get({ index: 1, sessionId: 'gone' })).toMatchObject({ success: true })
    rmSync(path)
    await shop.command('copilotChatSecretary.refreshDialogs')
    expect(await get({ index: 1, sessionId: 'gone' })).toEqual({ success: false, error: 'Chat data not available for session' })
  })

  it('D7 D8 give the first request, or say why not', async () => {
    expect(await first({})).toEqual({
      success: true,
      sessionId: 'parts',
      firstRequest: LONG.slice(0, 80),
      timestamp: BEGUN,
      requestsCount: 3,
    })
    expect(await first({ sessionId: 'empty' })).toEqual({ success: false, error: 'First request not available' })
    expect(await first({ sessionId: 'nowhere' })).toEqual({ success: false, error: 'Session not found: nowhere' })
  })

  it('D9 turn an exception into a result', async () => {
    const failed = await shop.invoke('chat_secretary_get_request', { index: 1 }, 'invokeFailing')
    expect(failed).toEqual({ isError: true, message: expect.stringMatching(/incident [0-9a-f]{8}/) })
    expect(await get({ index: 1 })).toMatchObject({ success: true })
  })
})

describe('the views in a real VS Code', () => {
  it('show the dialogs, their requests and their answers', async () => {
    await shop.command('workbench.view.extension.copilotChatSecretary')
    await eventually(titles).toHaveLength(2)
    expect(await titles()).toEqual(['Pay in parts', 'Rename Bill to Invoice'])
    expect(await shop.rows('Chat Monitor')).toEqual(expect.arrayContaining(['Status: answered', 'Asked so far: 3 requests']))
    const requests = await shop.rows('Opened Dialog')
    expect(requests).toHaveLength(3)
    expect(requests[1]).toMatch(/^Request 2, .*: Round to whole cents/)
    await shop.page
      .getByRole('treeitem', { name: /^Request 2/ })
      .locator('.monaco-tl-twistie')
      .click()
    await eventually(() => shop.rows('Opened Dialog')).toContain(
      'Answer to request 2: Each part is rounded down; the last one takes the rest.',
    )
    await picture('vscode-views')
  })

  it('follow the files without being asked', async () => {
    home.session(chats, 'fresh', [{ text: 'Asked a moment ago' }], { at: Date.now() - 60_000 })
    await eventually(titles).toContain('Asked a moment ago')
    expect(await shop.rows('Chat Monitor')).toContain('Status: being answered')
    rmSync(join(chats, 'fresh.jsonl'))
    await eventually(titles).not.toContain('Asked a moment ago')
  })

  it('list the dialogs of all folders, and narrow them by words', async () => {
    await shop.command('copilotChatSecretary.showEverywhere')
    await eventually(titles).toHaveLength(4)
    shop.command('copilotChatSecretary.searchDialogs').catch(() => {})
    await shop.page.locator('.quick-input-widget input').fill('whole CENTS')
    await shop.page.keyboard.press('Enter')
    await eventually(titles).toHaveLength(1)
    await picture('vscode-search')
    await shop.command('copilotChatSecretary.clearFilter')
    await eventually(titles).toHaveLength(2)
  })

  it('hand a dialog on as markdown and to other extensions', async () => {
    await shop.command('copilotChatSecretary.exportMarkdown')
    await eventually(() => shop.ask('document')).toMatch(/^# Pay in parts/)
    expect(await shop.ask('document')).toContain('> Round to whole cents, never in our favour\n\nEach part is rounded down')
    expect(await shop.command('copilotChatSecretary.api.getStatus')).toMatchObject({ status: 'completed', sessionId: 'parts' })
    expect(await shop.command('copilotChatSecretary.api.getCurrentDialog')).toMatchObject({
      sessionId: 'parts',
      requestsCount: 3,
    })
    expect(await shop.command('copilotChatSecretary.api.getDialogHistory')).toMatchObject([
      { sessionId: 'parts' },
      { sessionId: 'older' },
    ])
    expect(await shop.command('copilotChatSecretary.api.getSession', 'older')).toMatchObject({
      requests: [{ index: 1, request: 'Rename Bill to Invoice', answer: 'Renamed in 14 files.' }],
    })
    await shop.command('workbench.action.revertAndCloseActiveEditor')
  })
})

describe('what is around the extension in a real VS Code', () => {
  it('a call from a chat is about that chat, down to the request that is being answered', async () => {
    const wish = 'Send the receipt by mail as well'
    expect(await askInChat(wish, 'chat_secretary_get_request', { index: 1 })).toMatchObject({
      success: true,
      index: 1,
      totalRequests: 1,
    })
    const answer = await askInChat('What did I ask first?', 'chat_secretary_get_first_request', {})
    expect(answer).toMatchObject({ success: true, firstRequest: expect.stringContaining(wish), requestsCount: 2 })
    expect(answer.sessionId).not.toBe('parts')
    await eventually(() => shop.page.getByText('You asked:').count()).toBeGreaterThanOrEqual(2)
    await eventually(() => shop.rows('Chat Monitor')).toContain('Asked so far: 2 requests')
    await picture('vscode-chat')
  })

  it('the MCP server starts, and its tools can be called', async () => {
    const id = 'secretary.copilot-chat-secretary/copilotChatSecretary.server.Secretary'
    await shop.command('workbench.mcp.startServer', id)
    const offered = async () =>
      (await shop.ask<{ name: string }[]>('tools')).map(({ name }) => name).filter((name) => name.startsWith('mcp_secretary_'))
    await until(async () => (await offered()).length > 20, 'the MCP server', 60_000)
    expect(await offered()).toContain('mcp_secretary_copilot_chat_secretary_get_request')
    expect(await shop.invoke('mcp_secretary_list_tasks', {})).toMatchObject({ success: true, data: { tasks: [], total: 0 } })
  })

  it('broken and huge files cost themselves alone', async () => {
    home.raw(join(chats, 'broken.jsonl'), '{"kind":0,"v":{"requests":[{"message"')
    home.raw(join(chats, 'binary.json'), Buffer.alloc(100_000, 0xfe))
    home.raw(join(chats, 'huge.jsonl'), `{"kind":0,"v":{"version":3,"requests":[],"padding":"${'x'.repeat(70 << 20)}"}}\n`)
    await shop.command('copilotChatSecretary.refreshDialogs')
    expect(await get({ index: 2, sessionId: 'parts' })).toMatchObject({ success: true, request: ASKED[1]?.text })
    for (const name of ['broken.jsonl', 'binary.json', 'huge.jsonl']) rmSync(join(chats, name))
  })

  it('D8 a second window has its own dialogs, and none while nothing was asked there', async () => {
    const second = await vs.open(vs.project('second'))
    expect(await second.invoke('chat_secretary_get_first_request', {})).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect(await second.invoke('chat_secretary_get_first_request', { sessionId: 'parts' })).toMatchObject({ success: true })
    expect(await get({ index: 1, sessionId: 'parts' })).toMatchObject({ success: true })
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
    mkdirSync(home.empty, { recursive: true })
    home.session(home.empty, 'folderless', [{ text: 'What is a monad?', answer: 'A pattern.' }])
    const empty = await vs.open()
    expect(await empty.invoke('chat_secretary_get_request', { index: 1 })).toMatchObject({
      sessionId: 'folderless',
      request: 'What is a monad?',
    })
    await empty.close()
  })

  it('nothing that was typed is in the log, and the registration is', () => {
    expect(vs.extensionLog).toContain('MCP tool registered: chat_secretary_get_request')
    expect(vs.extensionLog).toContain('MCP tool registered: chat_secretary_get_first_request')
    for (const words of ['customers', 'Round to', 'monad', 'Renamed']) expect(vs.extensionLog).not.toContain(words)
  })

  it('activation is measured', async () => {
    await shop.command('perfview.show')
    await eventually(() => shop.ask('document')).toContain('Load Code')
    const report = await shop.ask<string>('document')
    const times = (id: string) =>
      report
        .split('\n')
        .find((line) => line.startsWith(`| ${id} `))
        ?.split('|')
        .slice(3, 6)
        .map(Number) ?? []
    const own = times('secretary.copilot-chat-secretary')
    const smallest = times('secretary-test.probe')
    expect(own).toHaveLength(3)
    console.log(
      `activation: load ${own[0]} ms, activate ${own[1]} ms; an extension of one small file loads in ${smallest[0]} ms here`,
    )
  })
})

/** A model takes a few seconds to be there: until then the chat refuses, and a new one is asked again. */
async function askInChat(words: string, name: string, input: object): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < 6; attempt++) {
    await shop.ask('ask', { words, name, input })
    for (const end = Date.now() + 8_000; Date.now() < end; ) {
      const answer = await shop.ask<{ text?: string; error?: string } | null>('inChat', { words })
      if (answer?.text) return JSON.parse(answer.text) as Record<string, unknown>
      if (answer?.error) throw new Error(answer.error)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    await shop.command('workbench.action.chat.newChat')
  }
  throw new Error('The chat did not call the tool')
}

/** For the documentation, where it is asked for: `SECRETARY_PICTURES=docs/pictures npm run test:vscode`. */
async function picture(name: string): Promise<void> {
  await shop.page.mouse.move(700, 700)
  await shop.page.screenshot({ path: join(process.env.SECRETARY_PICTURES || join(vs.work, 'pictures'), `${name}.png`) })
}
