import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../../../../test/support/agents-home.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { Reading } from '../dialog.ts'
import type { Places } from '../places.ts'
import { vscode } from './vscode.ts'

const context = { signal: new AbortController().signal, warn: () => {} }

async function readAll(home: AgentsHome, places: Partial<Places> = {}): Promise<Reading[]> {
  const source = vscode({ home: home.home, platform: 'linux', ...places })
  const found = await source.list(context)
  return Promise.all(found.map((one) => source.read(one, undefined, context)))
}

describe('where VS Code keeps its chats', () => {
  it.each([
    ['Linux', {}, ['.config', 'Code', 'User']],
    ['Linux with XDG_CONFIG_HOME', { xdgConfig: '{{home}}/cfg' }, ['cfg', 'VSCodium', 'User']],
    [
      'macOS',
      { platform: 'darwin' },
      ['Library', 'Application Support', 'Code - Insiders', 'User'],
    ],
    ['Windows', { platform: 'win32', appData: '{{home}}/Roaming' }, ['Roaming', 'Code', 'User']],
    ['Windows without APPDATA', { platform: 'win32' }, ['AppData', 'Roaming', 'Code', 'User']],
    ['code-server', {}, ['.local', 'share', 'code-server', 'User']],
    ['a remote server', {}, ['.vscode-server', 'data', 'User']],
    ['Flatpak', {}, ['.var', 'app', 'com.visualstudio.code', 'config', 'Code', 'User']],
    ['a portable copy', { vscodePortable: '{{home}}/portable' }, ['portable', 'user-data', 'User']],
  ])('on %s', async (_name, places, folder) => {
    const home = new AgentsHome(temporaryFolder())
    home.vscode('v2.json', 'vs-v2.json', home.path(...folder))
    const filled = Object.fromEntries(
      Object.entries(places).map(([key, value]) => [key, value.replace('{{home}}', home.home)]),
    )
    expect(await readAll(home, filled)).toMatchObject([
      { sessionId: 'vs-v2', project: home.project, title: 'Regular expressions' },
    ])
  })

  it('reads a window without a folder, which belongs to no project', async () => {
    const home = new AgentsHome(temporaryFolder())
    home.write(
      home.path('.config', 'Code', 'User', 'globalStorage', 'emptyWindowChatSessions', 'e.json'),
      home.sample('vscode/v1.json'),
    )
    const [reading] = await readAll(home)
    expect(reading).toMatchObject({ sessionId: 'vs-v1' })
    expect(reading?.project).toBeUndefined()
  })

  it.each([
    ['a workspace file with comments', '{ // folders\n "folders": [{ "path": "project" }], }'],
    ['a workspace file that is broken', '{'],
  ])('takes the project from %s', async (_name, content) => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.vscode('v2.json', 'vs-v2.json')
    const file = home.write(join(home.project, '..', 'all.code-workspace'), content)
    home.write(
      join(path, '..', '..', 'workspace.json'),
      JSON.stringify({ workspace: pathToFileURL(file).href }),
    )
    const [reading] = await readAll(home)
    expect(reading?.project).toBe(content === '{' ? join(home.project, '..') : home.project)
  })

  it('takes the path over there of a remote folder', async () => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.vscode('v2.json', 'vs-v2.json')
    home.write(
      join(path, '..', '..', 'workspace.json'),
      '{"folder":"vscode-remote://ssh-remote%2Bbox/srv/my%20shop/"}',
    )
    expect((await readAll(home))[0]?.project).toBe('/srv/my shop')
  })

  it.each([
    [{ modelState: { value: 0 } }, 'in_progress'],
    [{ modelState: { value: 2 } }, 'canceled'],
    [{ modelState: { value: 3 } }, 'failed'],
    [{ isCanceled: true, followups: [] }, 'canceled'],
    [{ result: { errorDetails: { code: 'canceled' } } }, 'canceled'],
    [{ result: { errorDetails: { message: 'x' } }, followups: [] }, 'failed'],
    [{ followups: [] }, 'completed'],
    [{}, 'in_progress'],
  ])('knows from %j that the dialog is %s', async (request, status) => {
    const home = new AgentsHome(temporaryFolder())
    const path = home.vscode('v1.json', 'vs-v1.json')
    home.write(path, JSON.stringify({ requests: [{ message: 'x', ...request }] }))
    expect((await readAll(home))[0]?.status).toBe(status)
  })
})
