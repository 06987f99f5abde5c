import { beforeEach, describe, expect, it } from 'vitest'
import { BEGUN, type ChatHome } from '../../test/chat-home.ts'
import { FakeWindow } from '../../test/fake-window.ts'
import { commands, seen } from '../../test/vscode-fake.ts'

interface Provider {
  getChildren(parent?: unknown): Promise<object[]>
  getTreeItem(node: unknown): Item
}
interface Item {
  label: string
  description?: string
  contextValue?: string
  accessibilityInformation?: { label: string }
}

let here: FakeWindow
let home: ChatHome

beforeEach(() => {
  here = new FakeWindow()
  home = here.home
  here.start()
})

const view = (name: string) => seen.views.get(`copilotChatSecretary.${name}`) as Provider
const run = (name: string, ...args: unknown[]) =>
  commands.executeCommand(`copilotChatSecretary.${name}`, ...args)

async function labels(name: string): Promise<string[]> {
  const provider = view(name)
  return (await provider.getChildren()).map((node) => provider.getTreeItem(node).label)
}

function threeDialogs(): void {
  home.session(home.window, 'a', [{ text: 'Rename the module', answer: 'Renamed.' }], {
    at: BEGUN - 4e6,
  })
  home.session(
    home.window,
    'b',
    [
      { text: `Explain ${'the build '.repeat(12)} with a unicorn`, answer: 'It bundles.' },
      { text: 'Shorter' },
    ],
    { at: Date.now() - 120_000 },
  )
  home.session(
    home.folder('elsewhere', '/elsewhere'),
    'c',
    [{ text: 'Something else', answer: 'Yes.' }],
    { at: BEGUN - 9e6 },
  )
}

describe('the views', () => {
  it('are empty where nothing was asked, so that their welcome says what to do', async () => {
    for (const name of ['monitor', 'openedDialog', 'dialogs'])
      expect(await labels(name)).toEqual([])
  })

  it('tell the status, the count and the last activity of the chat', async () => {
    threeDialogs()
    const items = (await view('monitor').getChildren()).map((node) =>
      view('monitor').getTreeItem(node),
    )
    expect(items.map(({ label, description }) => [label, description])).toEqual(
      expect.arrayContaining([
        ['Status', 'being answered'],
        ['Requests so far', '2 requests'],
        ['Last activity', expect.stringMatching(/ago$/)],
      ]),
    )
    for (const { accessibilityInformation } of items)
      expect(accessibilityInformation?.label).toMatch(/^[\w ]+: .+/)
  })

  it('call no answer one that is being written where nothing came of it for months', async () => {
    home.session(home.window, 'dead', [{ text: 'Never answered' }])
    const [status] = await view('monitor').getChildren()
    expect(view('monitor').getTreeItem(status).description).toBe('cancelled')
    expect(await run('api.getStatus')).toMatchObject({ status: 'canceled' })
    const [dialog] = await view('dialogs').getChildren()
    expect(view('dialogs').getTreeItem(dialog).accessibilityInformation?.label).toContain(
      'cancelled',
    )
  })

  it('show a dialog as requests with their answers below', async () => {
    threeDialogs()
    await run('openDialog', { sessionId: 'a' })
    const provider = view('openedDialog')
    const [request] = await provider.getChildren()
    expect(provider.getTreeItem(request)).toMatchObject({
      label: '1. Rename the module',
      contextValue: 'secretaryRequest',
    })
    const [answer] = await provider.getChildren(request)
    expect(provider.getTreeItem(answer)).toMatchObject({
      label: 'Renamed.',
      contextValue: 'secretaryAnswer',
    })
    await run('openCurrentDialog')
    expect(await labels('openedDialog')).toHaveLength(2)
  })

  it('show the newest 2,000 requests of a dialog, and say so where there are more', async () => {
    const asked = Array.from({ length: 2_050 }, (_, place) => ({ text: `Step ${place + 1}` }))
    home.session(home.window, 'long', asked)
    home.session(home.window, 'just', asked.slice(0, 2_000), { at: BEGUN - 4e8 })
    const [note, first, ...rest] = await labels('openedDialog')
    expect(note).toBe('Only the newest 2000 requests are shown')
    expect(first).toBe('51. Step 51')
    expect(rest).toHaveLength(1_999)
    expect(rest.at(-1)).toBe('2050. Step 2050')
    await run('openDialog', { sessionId: 'just' })
    expect((await labels('openedDialog'))[0]).toBe('1. Step 1')
  })

  it('list the dialogs of this window, of all folders, by status and by words past the preview', async () => {
    threeDialogs()
    expect(await labels('dialogs')).toEqual([
      expect.stringMatching(/^Explain/),
      'Rename the module',
    ])
    await run('showEverywhere')
    expect(await labels('dialogs')).toHaveLength(3)
    seen.answers.push('Only answered')
    await run('filterDialogs')
    expect(await labels('dialogs')).toEqual(['Rename the module', 'Something else'])
    await run('clearFilter')
    seen.answers[0] = ' UNICORN  build '
    await run('searchDialogs')
    expect(await labels('dialogs')).toEqual([expect.stringMatching(/^Explain/)])
    expect(seen.settings.get('copilotChatSecretary.filtered')).toBe(true)
  })

  it('clear the list without touching a file, and bring it back', async () => {
    threeDialogs()
    await run('clearHistory')
    expect(await labels('dialogs')).toEqual([])
    expect(seen.settings.get('copilotChatSecretary.cleared')).toBe(true)
    await run('clearFilter')
    expect(await labels('dialogs')).toHaveLength(2)
    expect(seen.settings.get('copilotChatSecretary.cleared')).toBe(false)
    seen.answers.push('Undo')
    await run('clearHistory')
    await expect.poll(() => labels('dialogs')).toHaveLength(2)
  })
})

it('a list that was cleared in an earlier window still is, and says so', async () => {
  here.start({ clearedAt: Date.now() })
  threeDialogs()
  expect(await labels('dialogs')).toEqual([])
  expect(seen.settings.get('copilotChatSecretary.cleared')).toBe(true)
})

describe('the commands', () => {
  it('copy a request and its answer, and say so where there is none', async () => {
    threeDialogs()
    const [first, second] = await view('openedDialog').getChildren()
    await run('copyAIResponse', first)
    expect(seen.clipboard).toBe('It bundles.')
    await run('copyRequestMessage', second)
    expect(seen.clipboard).toBe('Shorter')
    await run('copyAIResponse', second)
    expect(seen.shown.at(-1)).toBe('There is no answer to copy yet.')
  })

  it('copy a dialog as JSON and open it as markdown', async () => {
    threeDialogs()
    await run('copyChatJson', (await view('dialogs').getChildren())[1])
    expect(JSON.parse(seen.clipboard)).toMatchObject({
      sessionId: 'a',
      requests: [{ index: 1, request: 'Rename the module', answer: 'Renamed.' }],
    })
    await run('exportMarkdown', (await view('dialogs').getChildren())[1])
    expect(seen.documents[0]?.content).toMatch(
      /^# Rename the module\n\nSession `a`\n\n## 1\. Request, .*\n\n> Rename the module\n\nRenamed\.\n$/,
    )
  })

  it('say what to do where no dialog is open', async () => {
    await run('exportMarkdown')
    expect(seen.shown).toEqual(['No dialog is open. Choose one under Dialogs.'])
  })

  it('give other extensions the status, the list and one dialog', async () => {
    expect(await run('api.getStatus')).toEqual({ status: 'none' })
    threeDialogs()
    await run('refreshDialogs')
    expect(await run('api.getStatus')).toMatchObject({
      status: 'in_progress',
      sessionId: 'b',
      requestsCount: 2,
    })
    expect(await run('api.getCurrentDialog')).toMatchObject({
      sessionId: 'b',
      status: 'in_progress',
    })
    expect(await run('api.getDialogHistory', { everywhere: true, limit: 2 })).toMatchObject([
      { sessionId: 'b' },
      { sessionId: 'a' },
    ])
    for (const limit of [-1, Number.NaN, 1.5, 'all'])
      expect(await run('api.getDialogHistory', { limit }), String(limit)).toMatchObject([
        { sessionId: 'b' },
        { sessionId: 'a' },
      ])
    expect(await run('api.getDialogHistory', { limit: 0 })).toEqual([])
    expect(await run('api.getSession', 'c')).toMatchObject({
      sessionId: 'c',
      requests: [{ request: 'Something else' }],
    })
    expect(await run('api.getSession', 'nowhere')).toBeUndefined()
  })
})
