import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  binary,
  connectToUrl,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

describe('HTTP with tokens', () => {
  let server: HttpServer
  let env: Record<string, string>
  const secretary = (...args: string[]) =>
    execFileSync(process.execPath, [binary, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()

  beforeAll(async () => {
    env = isolatedEnvironment({ SECRETARY_AUTH: 'on' })
    server = await startHttpServer({ env })
  })
  afterAll(() => server.stop())

  it('refuses a request without one and points to the metadata', async () => {
    const response = await post(server.url)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
    expect(await (await fetch(metadataUrl)).json()).toMatchObject({
      resource: `${server.url}/mcp`,
      bearer_methods_supported: ['header'],
    })
  })

  it('keeps two users apart', async () => {
    const ada = await connectToUrl(
      server.url,
      bearer(secretary('token', 'create', '--user', 'ada')),
    )
    const bob = await connectToUrl(
      server.url,
      bearer(secretary('token', 'create', '--user', 'bob')),
    )
    await ada.call('add_task', { title: "Ada's" })
    expect((await bob.call('list_tasks')).body).toMatchObject({ data: { total: 0 } })
    expect((await ada.call('list_tasks')).body).toMatchObject({ data: { total: 1 } })
    await Promise.all([ada.close(), bob.close()])
  })

  it('tells nobody else how many dialogs the local user has, nor where they or the database are', async () => {
    const checksOf = async (user: string) => {
      const token = secretary('token', 'create', '--user', user)
      const answer = await fetch(`${server.url}/api/v1/health`, bearer(token))
      return answer.text()
    }
    expect(await checksOf('ada')).toContain('"dialogs"')
    const seenByBob = await checksOf('bob')
    expect(seenByBob).toContain('"database","state":"ok"')
    expect(seenByBob).not.toContain('"dialogs"')
    expect(seenByBob).not.toContain(tmpdir())
  })

  it('refuses a revoked, an expired, a made-up and a malformed token', async () => {
    const made = JSON.parse(secretary('token', 'create', '--user', 'eve', '--json')) as {
      token: string
      id: string
    }
    expect((await post(server.url, bearer(made.token).headers)).status).toBe(200)
    secretary('token', 'revoke', made.id)
    const expired = secretary('token', 'create', '--user', 'eve', '--days', '0.0000001')
    for (const token of [made.token, expired, 'sec_made-up', 'a.b.c', 'with space', '']) {
      expect((await post(server.url, { authorization: `Bearer ${token}` })).status, token).toBe(401)
    }
    expect((await post(server.url, { authorization: 'Basic YTpi' })).status).toBe(401)
  })

  it('never stores or lists the text of a token', () => {
    const token = secretary('token', 'create', '--user', 'ada')
    expect(secretary('token', 'list', '--json')).not.toContain(token)
    expect(secretary('token', 'list', '--json')).not.toContain(token.slice(4))
  })
})

describe('HTTP with JWTs of an OpenID provider', () => {
  let provider: Server
  let issuer: string
  let server: HttpServer
  let sign: (claims: {
    sub?: string
    iss?: string
    aud?: string
    exp?: string | number
  }) => Promise<string>

  beforeAll(async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
    provider = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify(
          request.url?.includes('openid-configuration')
            ? { issuer, jwks_uri: `${issuer}/keys` }
            : { keys: [jwk] },
        ),
      )
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    sign = ({ sub = 'carol', iss = issuer, aud = 'secretary', exp = '1h' }) =>
      new SignJWT({ sub })
        .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
        .setIssuer(iss)
        .setAudience(aud)
        .setExpirationTime(exp)
        .sign(privateKey)
    server = await startHttpServer({
      env: {
        SECRETARY_AUTH: 'on',
        SECRETARY_OIDC_ISSUER: issuer,
        SECRETARY_OIDC_AUDIENCE: 'secretary',
      },
    })
  })
  afterAll(async () => {
    await server.stop()
    provider.close()
  })

  it('takes the subject as the user and names the provider in the metadata', async () => {
    const carol = await connectToUrl(server.url, bearer(await sign({})))
    await carol.call('add_task', { title: "Carol's" })
    const dave = await connectToUrl(server.url, bearer(await sign({ sub: 'dave' })))
    expect((await dave.call('list_tasks')).body).toMatchObject({ data: { total: 0 } })
    expect(
      await (await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp`)).json(),
    ).toMatchObject({
      authorization_servers: [issuer],
    })
    await Promise.all([carol.close(), dave.close()])
  })

  it('never takes a subject for the owner of this machine', async () => {
    const ada = await connectToUrl(server.url, bearer(await sign({ sub: 'ada' })))
    const owner = await connectToUrl(server.url)
    await owner.call('add_task', { title: 'the owner’s' })
    expect((await ada.call('list_tasks')).body).toMatchObject({ data: { total: 0 } })
    const session = await fetch(`${server.url}/api/v1/session`, bearer(await sign({ sub: 'ada' })))
    expect(await session.json()).toMatchObject({ user: `${issuer}|ada` })
    const set = await ada.attempt('guide_set_feature_flag', { name: 'x', value: true })
    expect(set.body).toMatchObject({ error_type: 'forbidden' })
    await Promise.all([ada.close(), owner.close()])
  })

  it.each([
    '',
    ' ',
    5,
    null,
    ['ada'],
    'x'.repeat(256),
    'a\u001b[2Jb',
    'a\nb',
    'a\u202eb',
    'a\u0000',
    ' a',
    'a ',
  ])('refuses %j as a subject', async (sub) => {
    const token = await sign({ sub: sub as string })
    expect((await post(server.url, { authorization: `Bearer ${token}` })).status).toBe(401)
  })

  it('refuses another issuer, another audience, an expired one and a broken signature', async () => {
    const good = await sign({})
    const bad = [
      await sign({ iss: 'http://evil.example' }),
      await sign({ aud: 'other' }),
      await sign({ exp: Math.floor(Date.now() / 1000) - 100 }),
      `${good.slice(0, -6)}AAAAAA`,
    ]
    for (const token of bad)
      expect((await post(server.url, { authorization: `Bearer ${token}` })).status).toBe(401)
  })
})

describe('HTTP on loopback with SECRETARY_AUTH=off', () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await startHttpServer({ env: { SECRETARY_AUTH: 'off' } })
  })
  afterAll(() => server.stop())

  it('serves the local user', async () => {
    expect((await post(server.url)).status).toBe(200)
  })

  it('refuses foreign hosts and origins, so that a web page cannot reach it', async () => {
    expect((await post(server.url, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(server.url, { origin: 'null' })).status).toBe(403)
    expect((await post(server.url, { origin: server.url })).status).toBe(200)
    const { request } = await import('node:http')
    const status = await new Promise((resolve) =>
      request(`${server.url}/health`, { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.statusCode),
      ).end(),
    )
    expect(status).toBe(403)
  })

  it('answers /health and /metrics, and an unknown address in one form', async () => {
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'ok' })
    const client = await connectToUrl(server.url)
    await client.call('list_tasks')
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      'secretary_tool_calls_total{tool="list_tasks",outcome="ok"} 1',
    )
    expect(await (await fetch(`${server.url}/nowhere`)).json()).toEqual({
      error: 'not_found',
      message: 'There is nothing at this address',
    })
    await client.close()
  })

  it('requires tokens on any other address', async () => {
    const open = await startHttpServer({ args: ['--host', '0.0.0.0'] })
    const url = open.url.replace('0.0.0.0', '127.0.0.1')
    expect((await post(url)).status).toBe(401)
    await open.stop()
  })
})
