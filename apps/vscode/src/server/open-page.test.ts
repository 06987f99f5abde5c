import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { FakeWindow } from '../../test/fake-window.ts'
import { commands, seen, Uri } from '../../test/vscode-fake.ts'

const ADDRESS = 'http://127.0.0.1:4711/'
let here: FakeWindow

beforeEach(() => {
  here = new FakeWindow()
})

/** An extension that brings this program along in the place of the server. */
function start(program: string): void {
  const extensionPath = temporaryFolder()
  const script = join(extensionPath, 'server', 'dist', 'secretary.js')
  mkdirSync(dirname(script), { recursive: true })
  writeFileSync(script, program)
  here.start({ extensionPath })
}

const open = () => commands.executeCommand('copilotChatSecretary.openDashboard')
const PRINTED = `console.log(JSON.stringify({ url: '${ADDRESS}' }))`
const serving = `${PRINTED}; setInterval(() => {}, 1000)`

describe('the page', () => {
  it('opens where the server says, one server for all times, on a port of its own', async () => {
    start(`if (process.env.SECRETARY_PORT !== '0') process.exit(1); ${serving}`)
    await open()
    await open()
    expect(seen.opened).toEqual([Uri.parse(ADDRESS), Uri.parse(ADDRESS)])
  })

  it('is opened with a code that works once, never with the token', async () => {
    start(`let codes = 0
      const server = require('node:http').createServer((asked, response) => {
        const isAsked = asked.method === 'POST' && asked.url === '/api/v1/sign-in-codes'
        response.statusCode = isAsked && asked.headers.authorization === 'Bearer secret' ? 201 : 401
        response.end(JSON.stringify(isAsked ? { code: 'code' + ++codes } : {}))
      })
      server.listen(0, '127.0.0.1', () => {
        const url = 'http://127.0.0.1:' + server.address().port
        console.log(JSON.stringify({ url, page: url + '/?code=printed', token: 'secret' }))
      })`)
    await open()
    await open()
    const opened = seen.opened as Uri[]
    expect(opened.map(({ query }) => query)).toEqual(['code=code1', 'code=code2'])
  })

  it('is opened through a proxy where VS Code is', async () => {
    start(serving)
    seen.external = Uri.parse('https://code.example/proxy/4711/')
    await open()
    expect(seen.opened).toEqual([seen.external])
  })

  it('that does not open says so, and the log has what the server said', async () => {
    start(`console.error('The disk is full'); process.exitCode = 3`)
    await open()
    expect(seen.shown).toEqual(['The page did not open. The log says why.'])
    expect(seen.log.at(-1)).toMatch(/ended with code 3\. The disk is full/)
  })

  it('is started anew once its server has ended', async () => {
    const starts = join(temporaryFolder(), 'starts')
    start(
      `require('node:fs').appendFileSync(${JSON.stringify(starts)}, '.'); ${PRINTED}; setTimeout(() => {}, 200)`,
    )
    const opening = async () => {
      await open()
      return readFileSync(starts, 'utf8').length
    }
    expect(await opening()).toBe(1)
    await expect.poll(opening).toBeGreaterThan(1)
  })
})
