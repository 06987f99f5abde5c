import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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
let token: string

beforeAll(async () => {
  env = isolatedEnvironment()
  server = await startHttpServer({ env })
  token = readFileSync(join(env.SECRETARY_HOME ?? '', 'token'), 'utf8').trim()
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })

/** As a browser would: the headers that `fetch` sets itself are given by hand. */
function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) =>
    request(`${server.url}${path}`, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end(method === 'POST' ? '{"title":"x"}' : undefined),
  )
}

describe('on loopback', () => {
  it('another account of the machine reads nothing', async () => {
    for (const path of [
      '/api/v1/session',
      '/api/v1/tools',
      '/api/v1/dialogs',
      '/api/v1/events',
      '/api/v1/stats',
      '/api/v1/health',
      '/api/v1/openapi.json',
      '/metrics',
      '/mcp',
      '/nowhere',
    ])
      expect((await get(path)).status, path).toBe(401)
    expect(await send('POST', '/api/v1/tools/list_tasks', {})).toBe(401)
    expect(await send('POST', '/api/ada/chat', {})).toBe(401)
    await expect(
      connectToUrl(server.url, { headers: { authorization: 'Bearer wrong' } }),
    ).rejects.toThrow()
  })

  it('/health needs no token', async () => {
    expect((await get('/health')).status).toBe(200)
  })

  it('the token is a file that only its owner reads, and never changes by itself', async () => {
    const path = join(env.SECRETARY_HOME ?? '', 'token')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(token).toMatch(/^[\w-]{43}$/)
    const second = await startHttpServer({ env })
    expect(second.headers.authorization).toBe(`Bearer ${token}`)
    await second.stop()
    expect((await get('/api/v1/session', { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  it.each(['', 'x', `${'A'.repeat(43)}`])('a token like %j is not the owner’s', async (wrong) => {
    expect((await get('/api/v1/session', { authorization: `Bearer ${wrong}` })).status).toBe(401)
    expect(
      (await get('/api/v1/session', { cookie: `secretary-${new URL(server.url).port}=${wrong}` }))
        .status,
    ).toBe(401)
  })

  it('a token in the query opens nothing but the page', async () => {
    expect((await get(`/api/v1/session?token=${token}`)).status).toBe(401)
    expect((await get(`/mcp?token=${token}`)).status).toBe(401)
    expect((await get(`/metrics?token=${token}`)).status).toBe(401)
  })
})

describe('the printed address', () => {
  it('with a wrong token gives no cookie', async () => {
    const response = await get('/?token=wrong')
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('location')).toBe('./')
  })

  it('gives a cookie with which only our own page changes something', async () => {
    const asked = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
    const made = await fetch(`${server.url}/api/v1/sign-in-codes`, asked)
    const { code } = (await made.json()) as { code: string }
    const cookie = (await get(`/?code=${code}`)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, 'content-type': 'application/json' }
    const own = server.url
    expect(await send('POST', '/api/v1/tasks', { ...headers, origin: own })).toBe(201)
    expect(await send('POST', '/api/v1/tasks', headers)).toBe(403)
    expect(await send('DELETE', '/api/v1/tasks/1', headers)).toBe(403)
    const otherPort = 'http://127.0.0.1:9'
    expect(await send('POST', '/api/v1/tasks', { ...headers, origin: otherPort })).toBe(403)
    expect(await send('POST', '/api/v1/tasks', { ...headers, origin: 'null' })).toBe(403)
    const sameSite = { ...headers, 'sec-fetch-site': 'same-site' }
    expect(await send('GET', '/api/v1/session', sameSite)).toBe(403)
    expect(await send('POST', '/mcp', { cookie, origin: server.url })).toBe(401)
  })
})

describe('secretary open', () => {
  const open = (port: string | number, more: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [binary, 'open', '--print', '--until-stdin-ends'], {
      env: { ...env, ...more, SECRETARY_PORT: String(port) },
    })

  it('never tells it to a server of another account that pretends to be ours', async () => {
    const seen: string[] = []
    const impostor = createServer((asked, response) => {
      seen.push(`${asked.url} ${JSON.stringify(asked.headers)}`)
      response.end('{"status":"ok","version":"1","proof":"made up"}')
    })
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
    const child = open((impostor.address() as AddressInfo).port)
    let said = ''
    child.stdout?.on('data', (chunk) => (said += chunk))
    child.stderr?.on('data', (chunk) => (said += chunk))
    await new Promise((resolve) => child.once('exit', resolve))
    impostor.close()
    expect(said).toMatch(/Port \d+ is in use/)
    expect(said + seen.join()).not.toContain(token)
  })
})

describe('the token’s file', () => {
  const serve = (home: string) =>
    spawnSync(process.execPath, [binary, 'open', '--print', '--until-stdin-ends'], {
      env: isolatedEnvironment({ SECRETARY_HOME: home, SECRETARY_PORT: '0' }),
      encoding: 'utf8',
      input: '',
    })
  const home = () => {
    const folder = isolatedEnvironment().SECRETARY_HOME ?? ''
    mkdirSync(folder)
    return folder
  }

  it('is tightened where others could read it', () => {
    const folder = home()
    writeFileSync(join(folder, 'token'), 'A'.repeat(43), { mode: 0o644 })
    chmodSync(join(folder, 'token'), 0o644)
    expect(serve(folder).status).toBe(0)
    expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['a link', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['empty', (path: string) => writeFileSync(path, '')],
  ])('is not used where it is %s', (_what, make) => {
    const folder = home()
    make(join(folder, 'token'))
    const { status, stderr } = serve(folder)
    expect(status).toBe(1)
    expect(stderr).toContain('Delete the file to get a new one')
  })
})

describe('settings that would open the server to all', () => {
  it.each([
    [{ SECRETARY_AUTH: 'off', SECRETARY_HOST: '0.0.0.0' }, 'SECRETARY_HOST'],
    [{ SECRETARY_AUTH: 'off', SECRETARY_ALLOWED_HOSTS: 'a.example' }, 'SECRETARY_ALLOWED_HOSTS'],
    [{ SECRETARY_AUTH: 'off', SECRETARY_ALLOWED_ORIGINS: 'https://a.example' }, 'ALLOWED_ORIGINS'],
    [{ SECRETARY_AUTH: 'off', SECRETARY_PUBLIC_URL: 'https://a.example' }, 'SECRETARY_PUBLIC_URL'],
    [{ SECRETARY_OIDC_ISSUER: 'https://id.example' }, 'SECRETARY_OIDC_AUDIENCE'],
    [
      { SECRETARY_OIDC_ISSUER: 'https://id.example', SECRETARY_OIDC_AUDIENCE: ' ' },
      'SECRETARY_OIDC_AUDIENCE',
    ],
  ])('%j does not start', (settings, named) => {
    const { status, stderr } = spawnSync(process.execPath, [binary, 'serve', '--port', '0'], {
      env: isolatedEnvironment({ ...settings }),
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain(named)
  })

  it.each([
    { SECRETARY_ALLOWED_HOSTS: 'a.example' },
    { SECRETARY_ALLOWED_ORIGINS: 'https://a.example' },
  ])('%j requires tokens', async (settings) => {
    const open = await startHttpServer({ env: settings })
    expect((await fetch(`${open.url}/api/v1/session`)).status).toBe(401)
    await open.stop()
  })
})
