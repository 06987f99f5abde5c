import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

function start(env: Record<string, string> = {}): {
  child: ChildProcessWithoutNullStreams
  lines: AsyncIterableIterator<string>
  send: (message: unknown) => void
} {
  const child = spawn(process.execPath, [binary, 'mcp'], {
    env: isolatedEnvironment({ SECRETARY_LOG_LEVEL: 'trace', ...env }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stderr.resume()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    lines,
    send: (message) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
  }
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

async function next(lines: AsyncIterableIterator<string>): Promise<Record<string, never>> {
  const { value } = await lines.next()
  return JSON.parse(value)
}

describe('the stdio process', () => {
  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('speaks protocol %s', async (version) => {
    const { child, lines, send } = start()
    send(initialize(version))
    expect(await next(lines)).toMatchObject({
      id: 1,
      result: {
        protocolVersion: version,
        serverInfo: { name: 'secretary' },
        instructions: expect.stringContaining('working memory'),
      },
    })
    child.stdin.end()
    await once(child, 'exit')
  })

  it('speaks protocol 2026-07-28 without a handshake', async () => {
    const { child, lines, send } = start()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } })
    expect(await next(lines)).toMatchObject({
      id: 1,
      result: { supportedVersions: ['2026-07-28'] },
    })
    send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'add_task', arguments: { title: 'modern' }, _meta },
    })
    expect(await next(lines)).toMatchObject({
      id: 2,
      result: { structuredContent: { success: true } },
    })
    child.stdin.end()
    await once(child, 'exit')
  })

  it('ends with code 0 when standard input ends, and leaves no orphan', async () => {
    const { child, lines, send } = start()
    send(initialize('2025-06-18'))
    await next(lines)
    child.stdin.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  it('writes nothing but protocol to standard output, at any log level, and survives garbage', async () => {
    const { child, lines, send } = start()
    send(initialize('2025-06-18'))
    await next(lines)
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const garbage of [
      'garbage',
      '{"half":',
      '[]',
      'null',
      '\u0000\u0001',
      `"${'x'.repeat(100_000)}"`,
    ])
      send(garbage)
    send({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'add_task', arguments: { title: 'after garbage' } },
    })
    let answer = await next(lines)
    while ((answer as { id?: unknown }).id !== 7) {
      expect(answer).toMatchObject({ jsonrpc: '2.0' })
      answer = await next(lines)
    }
    expect(answer).toMatchObject({ result: { structuredContent: { success: true } } })
    child.stdin.end()
    await once(child, 'exit')
    for await (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('keeps every one of 200 pipelined writes', async () => {
    const { child, lines, send } = start()
    send(initialize('2025-06-18'))
    await next(lines)
    for (let id = 2; id < 202; id++)
      send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'add_task', arguments: { title: `task ${id}` } },
      })
    for (let i = 0; i < 200; i++)
      expect(await next(lines)).toMatchObject({ result: { structuredContent: { success: true } } })
    send({
      jsonrpc: '2.0',
      id: 999,
      method: 'tools/call',
      params: { name: 'list_tasks', arguments: { limit: 1 } },
    })
    expect(await next(lines)).toMatchObject({
      id: 999,
      result: { structuredContent: { data: { total: 200 } } },
    })
    child.stdin.end()
    await once(child, 'exit')
  })
})
