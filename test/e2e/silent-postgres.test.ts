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

async function start(command: string[]) {
  const proxy = await swallowingProxy(await freshPostgres())
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
    let url: string | undefined
    while (!url) url = /http:\/\/[\d.:]+/.exec((await lines.next()).value)?.[0]
    const call = (id: number) =>
      fetch(`${url}/mcp`, {
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
    expect((await call(1)).status).toBe(200)
    proxy.swallow()
    call(2).catch(() => {})
    expect(await endOf(child)).toEqual([0, null])
  })
})
