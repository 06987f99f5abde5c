import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  binary,
  connectStdio,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each took seconds for 40 KB. Under the limit of a body, and far over what any field takes. */
const TEXTS = [
  'a-',
  'eyJa-',
  'password=',
  '://a:',
  '-----BEGIN PRIVATE KEY-----',
  ' ',
  '[',
  '“',
].map((piece) => `${piece.repeat(Math.floor(400_000 / piece.length))}://x`)
const CALLS: readonly (readonly [tool: string, args: (text: string) => object])[] = [
  ['add_task', (title) => ({ title })],
  ['add_task', (description) => ({ title: 'a', description })],
  ['record_discovery', (content) => ({ type: 'decision', content })],
  ['context_search', (query) => ({ query })],
  ['read_file', (path) => ({ path })],
  ['grep_codebase', (pattern) => ({ pattern })],
  ['grep_codebase', (filePattern) => ({ pattern: 'a', filePattern })],
]
/** The promise is 200 ms; a machine that is busy with other tests may take longer, a blocked server took seconds for each. */
const LIVE_MS = 2_000

describe('a text that is made to be slow', () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await startHttpServer({
      env: { SECRETARY_RATE_LIMITS: 'off', SECRETARY_LOG_LEVEL: 'debug' },
    })
    server.child.stderr?.resume()
  })
  afterAll(() => server.stop())

  const ask = (tool: string, args: object) =>
    fetch(`${server.url}/api/v1/tools/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server.headers },
      body: JSON.stringify(args),
    }).then((answer) => answer.text())

  it('keeps nobody else waiting, in whatever field it comes over HTTP', async () => {
    let isOver = false
    const waits: number[] = []
    const others = (async () => {
      while (!isOver) {
        const started = performance.now()
        expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
        waits.push(performance.now() - started)
        await wait(10)
      }
    })()
    for (const text of TEXTS) await Promise.all(CALLS.map(([tool, args]) => ask(tool, args(text))))
    isOver = true
    await others
    expect(waits.length).toBeGreaterThan(10)
    expect(Math.max(...waits)).toBeLessThan(LIVE_MS)
  })

  it('does not keep a server from ending that is asked to', async () => {
    const own = await startHttpServer({ env: { SECRETARY_RATE_LIMITS: 'off' } })
    own.child.stderr?.resume()
    const asked = TEXTS.map((title) =>
      fetch(`${own.url}/api/v1/tools/add_task`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...own.headers },
        body: JSON.stringify({ title }),
      }).catch(() => undefined),
    )
    await wait(50)
    const started = performance.now()
    own.child.kill('SIGTERM')
    await once(own.child, 'exit')
    expect(performance.now() - started).toBeLessThan(5_000)
    await Promise.all(asked)
  })

  it('is refused over stdio, and the next call is answered', async () => {
    const connection = await connectStdio()
    for (const title of TEXTS.slice(0, 4)) {
      const { result } = await connection.attempt('add_task', { title })
      expect(result.isError).toBe(true)
    }
    const { result } = await connection.call('list_tasks', {})
    expect(result.isError).not.toBe(true)
    await connection.close()
  })

  it('is refused on the command line', () => {
    const env = isolatedEnvironment({ SECRETARY_HOME: join(temporaryFolder(), 'home') })
    for (const text of TEXTS.slice(0, 2)) {
      const args = [binary, 'call', 'add_task', JSON.stringify({ title: text.slice(-100_000) })]
      const { status, signal } = spawnSync(process.execPath, args, { env, timeout: 60_000 })
      expect([status, signal]).toEqual([1, null])
    }
  })
})

/** Read by agents, by the editor's hover and by the page, in a project that somebody else wrote. */
const FILES: Readonly<Record<string, string>> = {
  'long.ts': 'x\n'.repeat(400_000),
  'even.ts': 'const a = compute(1)\n'.repeat(49_000),
  'wide.ts': 'a-'.repeat(450_000),
  'imports.ts': 'import a from "./even.ts"\n'.repeat(30_000),
  'keys.txt': '-----BEGIN PRIVATE KEY-----\n'.repeat(30_000),
  'tsconfig.json': '/*a*'.repeat(20_000),
}
const READS: readonly (readonly [tool: string, args: object])[] = [
  ['copilot_chat_secretary_why', { file: 'long.ts', line: 399_999 }],
  ['copilot_chat_secretary_why', { file: 'even.ts', line: 40_000 }],
  ['read_file', { path: 'wide.ts' }],
  ['read_file', { path: 'long.ts', startLine: 390_000, endLine: 399_000 }],
  ['read_file', { path: 'imports.ts', includeDeps: true }],
  ['read_file', { path: 'keys.txt', startLine: 2, endLine: 9 }],
  ['grep_codebase', { pattern: '(a-)*b' }],
  ['grep_codebase', { pattern: '(a|a-)*$x' }],
  ['context_search', { query: 'a-'.repeat(4_000) }],
  ['context_search', { query: 'compute the price '.repeat(440) }],
]

describe('a file that is made to be slow', () => {
  const start = async () => {
    const project = join(temporaryFolder(), 'project')
    mkdirSync(project)
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
    const server = await startHttpServer({
      env: { SECRETARY_PROJECT: project, SECRETARY_RATE_LIMITS: 'off' },
    })
    server.child.stderr?.resume()
    const post = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...server.headers },
        body: JSON.stringify(body),
      })
    return { server, post }
  }

  it('keeps nobody else waiting, however it is read, nor does a message of many joints', async () => {
    const { server, post } = await start()
    const waits: number[] = []
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        const started = performance.now()
        expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
        waits.push(performance.now() - started)
        await wait(10)
      }
    })()
    const answers = READS.map(([tool, args]) => post(`/api/v1/tools/${tool}`, args))
    answers.push(post('/api/v1/chat', { message: 'a and '.repeat(300) }))
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200)
      await answer.text()
    }
    isOver = true
    await others
    expect(Math.max(...waits)).toBeLessThan(LIVE_MS)
    await server.stop()
  })

  it('does not keep a server from ending that is asked to', async () => {
    const { server, post } = await start()
    const asked = READS.map(([tool, args]) =>
      post(`/api/v1/tools/${tool}`, args).catch(() => undefined),
    )
    await wait(100)
    const started = performance.now()
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
    expect(performance.now() - started).toBeLessThan(5_000)
    await Promise.all(asked)
  })
})
