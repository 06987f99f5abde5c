import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

interface Answer {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly structuredContent?: unknown }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
}
const addTask = (id: unknown, title = 'x') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'add_task', arguments: { title } },
})

/** As `printf … | secretary mcp` does: everything at once, and the end of input with it. */
async function pipe(messages: readonly unknown[], end = '\n'): Promise<Map<unknown, Answer>> {
  const child = spawn(process.execPath, [binary, 'mcp'], { env: isolatedEnvironment() })
  child.stderr.resume()
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const text = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  child.stdin.end(text.join('\n') + end)
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  const answers = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
  return new Map(answers.map((answer) => [answer.id, answer]))
}

describe('the stdio server', () => {
  it.each(['\n', ''])('answers what it read before the end of input %j', async (end) => {
    const answers = await pipe([INITIALIZE, addTask(1), addTask('two')], end)
    expect([...answers.keys()]).toEqual(expect.arrayContaining(['hello', 1, 'two']))
    expect(answers.get('two')?.result?.structuredContent).toMatchObject({ success: true })
  })

  it.each([
    ['in one text', `{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"${'x'.repeat(11e6)}"}}`],
    ['with its id at the end', `{"jsonrpc":"2.0","method":"x","a":"${'\\"'.repeat(6e6)}","id":7}`],
  ])('answers a line over 10 MB %s with an error and reads the next', async (_name, line) => {
    const answers = await pipe([INITIALIZE, line, addTask(8)])
    expect(answers.get(7)?.error?.message).toContain('10 MB')
    expect(answers.get(8)?.result?.structuredContent).toMatchObject({ success: true })
  })

  it('answers a line over 10 MB that is no JSON', async () => {
    const answers = await pipe([INITIALIZE, '['.repeat(11e6), addTask(8)])
    expect(answers.get(null)?.error?.code).toBe(-32600)
    expect(answers.get(8)?.result).toBeDefined()
  })

  it.each([
    [
      '800,000 unknown arguments',
      { ...addTask(5), params: { name: 'add_task', arguments: keys(800_000) } },
    ],
    [
      '800,000 keys beside the arguments',
      { ...addTask(5), params: { name: 'add_task', ...keys(800_000) } },
    ],
    [
      'a list of a million',
      { ...addTask(5), params: { name: 'add_task', arguments: { title: Array(1e6).fill(0) } } },
    ],
    [
      'arguments nested 5,000 deep',
      `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add_task","arguments":{"title":${'['.repeat(5000)}${']'.repeat(5000)}}}}`,
    ],
  ])('refuses %s by their number, before anything looks at them', async (_name, message) => {
    const answers = await pipe([INITIALIZE, message, addTask(6)])
    expect(answers.get(5)?.error?.message).toMatch(/too many elements|nested too deeply/)
    expect(answers.get(6)?.result).toBeDefined()
  })

  it.each([
    ['a method that is no text', { jsonrpc: '2.0', id: 3, method: 5 }],
    ['no method', { jsonrpc: '2.0', id: 3 }],
    ['params that are a list', { jsonrpc: '2.0', id: 3, method: 'tools/list', params: [1] }],
    ['params that are a text', { jsonrpc: '2.0', id: 3, method: 'tools/list', params: 'x' }],
    ['no version', { id: 3, method: 'tools/list' }],
    ['another version', { jsonrpc: '1.0', id: 3, method: 'tools/list' }],
    ['params of another shape', { ...addTask(3), params: { name: 5 } }],
    ['no params', { jsonrpc: '2.0', id: 3, method: 'tools/call' }],
  ])('answers a request with an id and %s', async (_name, message) => {
    const answers = await pipe([INITIALIZE, message, addTask(4)])
    expect(answers.get(3)?.error?.code).toBeLessThan(0)
    expect(answers.get(4)?.result).toBeDefined()
  })

  it.each([['{"half":'], ['[]'], ['null'], ['5'], ['{"jsonrpc":"2.0","id":{"a":1},"method":"x"}']])(
    'answers %s without an id',
    async (line) => {
      const answers = await pipe([INITIALIZE, line, addTask(4)])
      expect(answers.get(null)?.error?.code).toBeLessThan(0)
      expect(answers.get(4)?.result).toBeDefined()
    },
  )

  it('stops reading while the client does not read', async () => {
    const child = spawn(process.execPath, [binary, 'mcp'], { env: isolatedEnvironment() })
    child.stderr.resume()
    child.stdin.on('error', () => {})
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
    let sent = 0
    let isFull = false
    while (!isFull && sent < 400_000) {
      const isTaken = child.stdin.write(line.repeat(500))
      sent += 500
      if (!isTaken)
        isFull = await Promise.race([
          once(child.stdin, 'drain').then(() => false),
          wait(3_000).then(() => true),
        ])
    }
    expect(isFull).toBe(true)
    if (process.platform === 'linux') {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(250_000)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))
}
