import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { FakeWindow } from '../test/fake-window.ts'
import { commands, seen, Uri, workspace } from '../test/vscode-fake.ts'

let here: FakeWindow

beforeEach(() => {
  here = new FakeWindow()
})

describe('the server', () => {
  const provider = () => seen.providers.get('copilotChatSecretary.server')
  const servers = async () => (await provider()?.provideMcpServerDefinitions()) ?? []

  it('is handed over with the project of the settings and the chats of this window', async () => {
    seen.settings.set('copilotChatSecretary.server.project', '/projects/shop')
    here.start()
    expect(await servers()).toMatchObject([
      {
        label: 'Secretary',
        command: process.execPath,
        args: [join('/extension', 'server', 'dist', 'secretary.js'), 'mcp'],
        env: {
          SECRETARY_PROJECT: '/projects/shop',
          SECRETARY_VSCODE_USER: here.home.user,
          SECRETARY_VSCODE_CHATS: here.home.window,
          SECRETARY_DESCRIPTIONS: 'compact',
          // What is about dialogs the editor offers itself.
          SECRETARY_FAMILIES: 'tasks,guide,context',
        },
      },
    ])
  })

  const variable = (name: string) => `$${'{'}${name}}`

  it.each([
    [variable('workspaceFolder'), '/projects/shop'],
    [`${variable('workspaceFolder')}/web`, '/projects/shop/web'],
    [variable('workspaceFolder:docs'), '/projects/docs'],
    ['web', '/projects/shop/web'],
    ['../other', '/projects/other'],
    ['~/work', join(homedir(), 'work')],
    [`${variable('userHome')}/work`, join(homedir(), 'work')],
    [`${variable('workspaceFolder:gone')}/x`, '/projects/shop'],
  ])('has %s as its project %s', async (setting, project) => {
    seen.settings.set('copilotChatSecretary.server.project', setting)
    workspace.workspaceFolders = [
      { name: 'shop', uri: Uri.file('/projects/shop') },
      { name: 'docs', uri: Uri.file('/projects/docs') },
    ]
    here.start()
    expect((await servers())[0]).toMatchObject({ env: { SECRETARY_PROJECT: project } })
  })

  it('searches every folder of the window', async () => {
    workspace.workspaceFolders = [
      { name: 'shop', uri: Uri.file('/projects/shop') },
      { name: 'docs', uri: Uri.file('/projects/docs') },
    ]
    here.start()
    expect(await servers()).toMatchObject([
      { label: 'Secretary', env: { SECRETARY_PROJECT: '/projects/shop' } },
      {
        label: 'Secretary (docs)',
        env: { SECRETARY_PROJECT: '/projects/docs', SECRETARY_FAMILIES: 'context' },
      },
    ])
  })

  it('offers the families of the settings, and none that needs a folder where there is none', async () => {
    here.start()
    expect(await servers()).toMatchObject([{ env: { SECRETARY_FAMILIES: 'tasks,guide' } }])
    seen.settings.set('copilotChatSecretary.server.families', ['guide', 'context'])
    seen.settings.set('copilotChatSecretary.server.descriptions', 'full')
    expect(await servers()).toMatchObject([
      { env: { SECRETARY_FAMILIES: 'guide', SECRETARY_DESCRIPTIONS: 'full' } },
    ])
  })

  it('gets the address of the database from the secrets, and only when it starts', async () => {
    here.start()
    seen.answers.push('postgres://team/secretary')
    await commands.executeCommand('copilotChatSecretary.setDatabaseAddress')
    const [server] = await servers()
    expect(server).not.toMatchObject({ env: { SECRETARY_DATABASE_URL: expect.anything() } })
    expect(await provider()?.resolveMcpServerDefinition(server)).toMatchObject({
      env: { SECRETARY_DATABASE_URL: 'postgres://team/secretary' },
    })
    seen.answers.push('')
    await commands.executeCommand('copilotChatSecretary.setDatabaseAddress')
    const [embedded] = await servers()
    expect(await provider()?.resolveMcpServerDefinition(embedded)).not.toMatchObject({
      env: { SECRETARY_DATABASE_URL: expect.anything() },
    })
  })

  it.each([
    ['file:///projects/shop', '/projects/shop'],
    ['vscode-remote://ssh-remote+host/projects/shop', homedir()],
    ['vscode-vfs://github/someone/shop', homedir()],
  ])('of the window %s works in %s', async (folder, project) => {
    workspace.workspaceFolders = [{ name: 'shop', uri: Uri.parse(folder) }]
    here.start()
    expect((await servers())[0]).toMatchObject({ env: { SECRETARY_PROJECT: project } })
  })

  it('stays away where it is turned off', async () => {
    seen.settings.set('copilotChatSecretary.server.enabled', false)
    here.start()
    expect(await servers()).toEqual([])
  })
})

it('every command of the manifest is there, and nothing besides', () => {
  here.start()
  const own = [...seen.commands.keys()].filter((name) => name.startsWith('copilotChatSecretary.'))
  expect(own.sort()).toEqual(manifest.contributes.commands.map(({ command }) => command).sort())
})

it('N5 the manifest offers the tools under the names that are registered', () => {
  here.start()
  expect(manifest.contributes.languageModelTools.map(({ name }) => name)).toEqual([
    ...seen.tools.keys(),
  ])
  expect(manifest.activationEvents).toEqual(
    [...seen.tools.keys()].map((name) => `onLanguageModelTool:${name}`),
  )
})
