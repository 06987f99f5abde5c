import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { FakeWindow } from '../test/fake-window.ts'
import { seen, Uri, workspace } from '../test/vscode-fake.ts'

let here: FakeWindow

beforeEach(() => {
  here = new FakeWindow()
})

describe('the server', () => {
  it('is handed over with the project and the database of the settings', () => {
    seen.settings.set('copilotChatSecretary.server.project', '/projects/shop')
    seen.settings.set('copilotChatSecretary.server.databaseUrl', 'postgres://team/secretary')
    here.start()
    expect(
      seen.providers.get('copilotChatSecretary.server')?.provideMcpServerDefinitions(),
    ).toMatchObject([
      {
        label: 'Secretary',
        command: process.execPath,
        args: [join('/extension', 'server', 'dist', 'secretary.js'), 'mcp'],
        env: {
          SECRETARY_PROJECT: '/projects/shop',
          SECRETARY_DATABASE_URL: 'postgres://team/secretary',
        },
      },
    ])
  })

  it.each([
    ['file:///projects/shop', '/projects/shop'],
    ['vscode-remote://ssh-remote+host/projects/shop', homedir()],
    ['vscode-vfs://github/someone/shop', homedir()],
  ])('has %s as its project in %s', (folder, project) => {
    workspace.workspaceFolders = [{ uri: Uri.parse(folder) }]
    here.start()
    const [server] =
      seen.providers.get('copilotChatSecretary.server')?.provideMcpServerDefinitions() ?? []
    expect(server).toMatchObject({ env: { SECRETARY_PROJECT: project } })
  })

  it('stays away where it is turned off', () => {
    seen.settings.set('copilotChatSecretary.server.enabled', false)
    here.start()
    expect(
      seen.providers.get('copilotChatSecretary.server')?.provideMcpServerDefinitions(),
    ).toEqual([])
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
