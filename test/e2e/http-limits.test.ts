import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  binary,
  connectToUrl,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'

let server: HttpServer
let env: Record<string, string>
beforeAll(async () => {
  env = isolatedEnvironment({ SECRETARY_RATE_LIMITS: 'off' })
  server = await startHttpServer({ env })
})
afterAll(() => server.stop())

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 0]))
const call = (args: unknown) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'add_task', arguments: args },
  })
const LONG = 24
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const post = (path: string, body: string, headers: Record<string, string> = server.headers) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })

describe('one caller', () => {
  it.each([
    ['/mcp', '800,000 unknown arguments in 9 MB', call(keys(800_000)), 413],
    ['/mcp', 'a list of a million', call({ title: Array(1e6).fill(0) }), 413],
    ['/mcp', '200,000 nested lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 413],
    ['/mcp', '17 MB', call({ title: 'x'.repeat(17 << 20) }), 413],
    ['/api/v1/tools/add_task', '60,000 unknown arguments', JSON.stringify(keys(60_000)), 413],
    ['/api/v1/tasks', '60,000 unknown arguments', JSON.stringify(keys(60_000)), 413],
    ['/api/v1/chat', '60,000 unknown keys', JSON.stringify({ message: 'x', ...keys(60_000) }), 413],
    ['/api/v1/chat', '2 MB', JSON.stringify({ message: 'x'.repeat(2 << 20) }), 413],
  ])('of %s with %s stops nobody else', async (path, _what, body, status) => {
    const [asked, health] = await Promise.all([post(path, body), fetch(`${server.url}/health`)])
    expect(asked.status).toBe(status)
    expect(health.status).toBe(200)
  })

  it('with 5,000 unknown arguments gets one short answer from the tool', async () => {
    const answer = await post('/api/v1/tools/add_task', JSON.stringify(keys(5_000)))
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ isError: true, error_type: 'validation_error' })
    expect(text.length).toBeLessThan(1_000)
  })

  it.each([
    ['says how long it is', `Content-Length: ${LONG << 20}`, (piece: string) => piece, ''],
    ['does not', 'Transfer-Encoding: chunked', chunk, chunk('')],
  ])(
    'can send all of a body that is too large and %s, and then reads why',
    async (_what, length, framed, end) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      const { authorization } = server.headers
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${length}\r\n\r\n`,
      )
      const piece = framed('x'.repeat(1 << 20))
      for (let sent = 0; sent < LONG; sent++)
        await new Promise<void>((resolve, reject) =>
          socket.write(piece, (error) => (error ? reject(error) : setImmediate(resolve))),
        )
      socket.write(end)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
      socket.destroy()
    },
  )

  it('without a token is refused before the body is read', async () => {
    expect((await post('/mcp', call(keys(100_000)), {})).status).toBe(401)
  })

  it('with a text of 5 MB gets the tool’s own answer', async () => {
    const client = await connectToUrl(server.url)
    const { body } = await client.attempt('add_task', { title: 'x'.repeat(5 << 20) })
    expect(body).toMatchObject({ success: false })
    await client.close()
  })

  it('with 300 calls at once has them all answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        post('/api/v1/tools/add_task', JSON.stringify({ title: `task ${at}` })),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('half-open requests', () => {
  const { hostname, port } = { hostname: '127.0.0.1', port: () => Number(new URL(server.url).port) }
  const open = async (begin: string): Promise<Socket> => {
    const socket = connect(port(), hostname)
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    socket.write(begin)
    return socket
  }

  it.each([
    ['that have sent nothing', ''],
    ['in the middle of their headers', 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
    [
      'in the middle of their body',
      'POST /api/v1/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: TOKEN\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('%s, 1,100 of them, keep nobody out', async (_what, begin) => {
    const sockets: Socket[] = []
    const text = begin.replace('TOKEN', server.headers.authorization ?? '')
    for (let at = 0; at < 1_100; at++) sockets.push(await open(text))
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    const still = () => sockets.filter((socket) => !socket.closed && !socket.destroyed).length
    await expect.poll(still).toBeLessThan(1_000)
    for (const socket of sockets) socket.destroy()
  })

  it('cost nobody a connection that has been answered before', async () => {
    const ask = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    const answerOf = (socket: Socket) =>
      Promise.race([once(socket, 'data'), once(socket, 'close')]).then(String)
    const known = await open(ask)
    expect(await answerOf(known)).toMatch(/^HTTP\/1\.1 200 /)
    const sockets: Socket[] = []
    for (let at = 0; at < 1_100; at++) sockets.push(await open('GET /health HTTP/1.1\r\n'))
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(known.closed).toBe(false)
    known.write(ask)
    expect(await answerOf(known)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of [known, ...sockets]) socket.destroy()
  })

  it('are closed after a while', async () => {
    const socket = await open('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })
})

describe('callers who hold on to their connections', () => {
  const createToken = (user: string) =>
    execFileSync(process.execPath, [binary, 'token', 'create', '--user', user], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const port = () => Number(new URL(server.url).port)
  const open = async (asked: string): Promise<Socket> => {
    const socket = connect(port(), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(asked)
    return socket
  }
  const stream = (token: string, path = '/api/v1/events') =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`
  const statusOf = (socket: Socket) =>
    new Promise<number>((resolve) => {
      socket.once('close', () => resolve(0))
      socket.once('data', (answer) =>
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? 0)),
      )
    })
  const session = (token?: string) =>
    fetch(`${server.url}/api/v1/session`, {
      headers: token ? { authorization: `Bearer ${token}` } : server.headers,
    })

  it('lock nobody out with 1,200 event streams of one member', async () => {
    const [mallory, bob] = [createToken('mallory'), createToken('bob')]
    const sockets: Socket[] = []
    const answers: Promise<number>[] = []
    for (let at = 0; at < 1_200; at++) {
      const socket = await open(stream(mallory))
      sockets.push(socket)
      answers.push(statusOf(socket))
    }
    const statuses = await Promise.all(answers)
    expect(statuses.filter((status) => status === 200).length).toBe(64)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await session()).status).toBe(200)
    expect((await session(bob)).status).toBe(200)
    const listening = await open(stream(bob))
    expect(await statusOf(listening)).toBe(200)
    for (const socket of [listening, ...sockets]) socket.destroy()
    // Streams that have ended leave room for new ones.
    await expect
      .poll(async () => {
        const again = await open(stream(mallory))
        const status = await statusOf(again)
        again.destroy()
        return status
      })
      .toBe(200)
  }, 60_000)

  const assets = new URL('../../dist/page/assets/', import.meta.url)
  const sizeOf = (name: string) => statSync(new URL(name, assets)).size
  const [largest = ''] = readdirSync(assets).sort((a, b) => sizeOf(b) - sizeOf(a))
  const askFor = (name: string) =>
    `GET /assets/${name} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`

  it('keep nobody out with 700 requests without a token whose answers they never read', async () => {
    const sockets: Socket[] = []
    for (let at = 0; at < 700; at++) sockets.push(await open(askFor(largest).repeat(30)))
    const fresh = { headers: { connection: 'close' } }
    expect((await fetch(`${server.url}/health`, fresh)).status).toBe(200)
    const listening = await open(stream(server.headers.authorization?.slice(7) ?? ''))
    expect(await statusOf(listening)).toBe(200)
    listening.destroy()
    for (const socket of sockets) socket.destroy()
  }, 60_000)

  it('keep nobody out with 1,200 connections that were refused and stay open', async () => {
    const sockets: Socket[] = []
    const ask = `GET /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`
    for (let at = 0; at < 1_200; at++) {
      const socket = await open(ask)
      sockets.push(socket.resume())
    }
    for (let at = 0; at < 20; at++) {
      const socket = await open(stream(server.headers.authorization?.slice(7) ?? ''))
      expect(await statusOf(socket)).toBe(200)
      sockets.push(socket)
    }
    for (const socket of sockets) socket.destroy()
  }, 60_000)

  it('lose a connection whose answer they do not read', async () => {
    const times = 400
    const socket = await open(askFor(largest).repeat(times))
    await new Promise((resolve) => setTimeout(resolve, 45_000))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    await closed
    expect(socket.bytesRead).toBeLessThan(times * sizeOf(largest))
  }, 60_000)
})
