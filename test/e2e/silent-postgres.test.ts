import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { swallowingProxy } from '../support/swallowing-proxy.ts'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const addTask = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'add_task', arguments: { title: 'x' }, _meta: meta },
})

async function start(command: string[], { isSilent = false } = {}) {
  const proxy = await swallowingProxy(await freshPostgres())
  if (isSilent) proxy.swallow()
  const child = spawn(process.execPath, [binary, ...command], {
    env: isolatedEnvironment({ SECRETARY_DATABASE_URL: proxy.url, SECRETARY_AUTH: 'off' }),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await proxy.close()
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { proxy, child, lines }
}

/** Its code and the signal that ended it. */
function endOf(child: ReturnType<typeof spawn>): Promise<unknown[]> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return ended
}

describe('a server whose PostgreSQL went silent', () => {
  it('on stdio ends when it is asked to, with a call under way', async () => {
    const { proxy, child, lines } = await start(['mcp'])
    child.stdin.write(`${JSON.stringify(addTask(1))}\n`)
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: 1 })
    proxy.swallow()
    child.stdin.write(`${JSON.stringify(addTask(2))}\n`)
    expect(await endOf(child)).toEqual([0, null])
  })

  it('over HTTP ends when it is asked to, with a call under way', async () => {
    const { proxy, child, lines } = await start(['serve', '--port', '0'])
    const url = await addressIn(lines)
    expect((await callOverHttp(url, 1)).status).toBe(200)
    proxy.swallow()
    callOverHttp(url, 2).catch(() => {})
    expect(await endOf(child)).toEqual([0, null])
  })

  it('over HTTP ends when nobody calls, and only the connection that listens is open', async () => {
    const { proxy, child, lines } = await start(['serve', '--port', '0'])
    const url = await addressIn(lines)
    expect((await callOverHttp(url, 1)).status).toBe(200)
    await expect.poll(() => proxy.open()).toBe(1)
    proxy.swallow()
    expect(await endOf(child)).toEqual([0, null])
  })
})

describe('a PostgreSQL that is silent from the first connection on', () => {
  const unreachable = expect.stringContaining('The database cannot be reached')

  it('on stdio costs a call an error, and the server ends when it is asked to', async () => {
    const { child, lines } = await start(['mcp'], { isSilent: true })
    child.stdin.write(`${JSON.stringify(addTask(1))}\n`)
    expect(JSON.stringify(JSON.parse((await lines.next()).value))).toEqual(unreachable)
    child.stdin.write(`${JSON.stringify(addTask(2))}\n`)
    expect(await endOf(child)).toEqual([0, null])
  })

  it('over HTTP costs a call an error; the server is alive, not ready, and ends when it is asked to', async () => {
    const { proxy, child, lines } = await start(['serve', '--port', '0'], { isSilent: true })
    const url = await addressIn(lines)
    const [answer, tasks, live, ready] = await Promise.all([
      callOverHttp(url, 1),
      fetch(`${url}/api/v1/tasks`),
      fetch(`${url}/health`),
      fetch(`${url}/health/ready`),
    ])
    expect(await answer.text()).toEqual(unreachable)
    expect(tasks.status).toBeGreaterThanOrEqual(500)
    expect([live.status, ready.status]).toEqual([200, 503])
    proxy.serve()
    expect((await callOverHttp(url, 2)).status).toBe(200)
    expect(await endOf(child)).toEqual([0, null])
  })

  it('ends a command by itself, with an error', async () => {
    const { child } = await start(['call', 'add_task', '{"title":"x"}'], { isSilent: true })
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})

async function addressIn(lines: AsyncIterator<string>): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) throw new Error('the server ended')
    const [url] = /http:\/\/[\d.:]+/.exec(value) ?? []
    if (url) return url
  }
}

function callOverHttp(url: string, id: number): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'add_task',
    },
    body: JSON.stringify(addTask(id)),
  })
}
