import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  binary,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let server: HttpServer
let env: Record<string, string>
let owner: string

beforeAll(async () => {
  env = isolatedEnvironment()
  server = await startHttpServer({ env })
  owner = readFileSync(join(env.SECRETARY_HOME ?? '', 'token'), 'utf8').trim()
})
afterAll(() => server.stop())

const secretary = (...args: string[]) =>
  execFileSync(process.execPath, [binary, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const createToken = (user: string) =>
  JSON.parse(secretary('token', 'create', '--user', user, '--json')) as {
    token: string
    id: string
  }
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })
const createCode = async (token: string) => {
  const answer = await fetch(`${server.url}/api/v1/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { code: string }).code
}
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
const userOf = async (cookie: string) => {
  const answer = await get('/api/v1/session', { cookie })
  return answer.status === 200 ? ((await answer.json()) as { user: string }).user : answer.status
}

/** As a browser would send the form of the confirmation page: `fetch` would not let us choose the origin. */
function confirm(
  code: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; cookie: string; location: string }> {
  return new Promise((resolve, reject) =>
    request(
      `${server.url}/sign-in`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: server.url,
          ...headers,
        },
      },
      (response) => {
        response.resume()
        const [cookie = ''] = response.headers['set-cookie'] ?? []
        resolve({
          status: response.statusCode ?? 0,
          cookie: cookie.split(';')[0] ?? '',
          location: response.headers.location ?? '',
        })
      },
    )
      .once('error', reject)
      .end(new URLSearchParams({ code, to: '/tasks?state=open' }).toString()),
  )
}
const signIn = async (token: string) => (await confirm(await createCode(token))).cookie

describe('a link with a token', () => {
  it('signs nobody in by itself, whoever’s token it is', async () => {
    for (const token of [owner, createToken('mallory').token]) {
      const answer = await get(`/tasks?state=open&token=${token}`)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.status).toBe(303)
      const location = answer.headers.get('location') ?? ''
      expect(location).not.toContain(token)
      const page = await get(`/${location.replace(/^\.\//, '')}`)
      expect(page.headers.get('set-cookie')).toBeNull()
      const html = await page.text()
      expect(html).toMatch(/Sign in as (ada|mallory)\?/)
      expect(html).toContain('method="post"')
      expect(html).not.toContain(token)
    }
  })

  it('says who would be signed out by it', async () => {
    const cookie = await signIn(createToken('bob').token)
    const answer = await get(`/?token=${createToken('mallory').token}`, { cookie })
    const page = await get(`/${(answer.headers.get('location') ?? '').slice(2)}`, { cookie })
    expect(await page.text()).toMatch(/You are signed in as bob/)
    expect(await userOf(cookie)).toBe('bob')
  })

  it('leads to a page that no other page can show in a frame and that runs no script', async () => {
    const answer = await get(`/?token=${owner}`)
    const page = await get(`/${(answer.headers.get('location') ?? '').slice(2)}`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
  })

  it('shows a name as text, whatever it holds', async () => {
    const { token } = createToken('<img src=x onerror=alert(1)>"\'&')
    const answer = await get(`/?token=${token}`)
    const html = await (await get(`/${(answer.headers.get('location') ?? '').slice(2)}`)).text()
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img')
  })
})

describe('a one-time code', () => {
  it('is handed only to whoever sends a token in the header', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/sign-in-codes`, { method: 'POST', headers })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401)
    const cookie = await signIn(owner)
    expect((await ask({ cookie, origin: server.url })).status).toBe(403)
  })

  it('of the owner signs a browser in that nobody is signed in to, and leaves the address bar', async () => {
    const code = await createCode(owner)
    const answer = await get(`/dialogs?session=one&code=${code}`)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('./dialogs?session=one')
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).not.toMatch(/Domain/i)
    expect(cookie).not.toContain(owner)
    expect(cookie).not.toContain(code)
    expect(await userOf(cookieOf(answer))).toBe('ada')
  })

  it('of the owner asks first if somebody else is signed in', async () => {
    const bob = await signIn(createToken('bob').token)
    const answer = await get(`/?code=${await createCode(owner)}`, { cookie: bob })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(
      await (await get(`/${(answer.headers.get('location') ?? '').slice(2)}`)).text(),
    ).toContain('Sign in as ada?')
  })

  it('of anybody else asks first, since somebody else may have sent the link', async () => {
    const answer = await get(`/?code=${await createCode(createToken('mallory').token)}`)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(
      await (await get(`/${(answer.headers.get('location') ?? '').slice(2)}`)).text(),
    ).toContain('Sign in as mallory?')
  })

  it('works once, and a second use ends the session that it gave', async () => {
    const code = await createCode(owner)
    const first = cookieOf(await get(`/?code=${code}`))
    expect(await userOf(first)).toBe('ada')
    const second = await get(`/?code=${code}`)
    expect(second.headers.get('set-cookie')).toBeNull()
    expect(await second.text()).toContain('already been used')
    expect(await userOf(first)).toBe(401)
  })

  it('gives one session, however many use it at once', async () => {
    const code = await createCode(createToken('bob').token)
    const answers = await Promise.all(Array.from({ length: 12 }, () => confirm(code)))
    expect(answers.filter(({ cookie }) => cookie !== '').length).toBeLessThanOrEqual(1)
  })

  it('is neither a token nor a session, and opens nothing but the page', async () => {
    const code = await createCode(owner)
    expect((await get('/api/v1/session', { authorization: `Bearer ${code}` })).status).toBe(401)
    const { port } = new URL(server.url)
    expect((await get('/api/v1/session', { cookie: `secretary-${port}=${code}` })).status).toBe(401)
    expect((await get(`/api/v1/session?code=${code}`)).status).toBe(401)
    expect((await get(`/metrics?code=${code}`)).status).toBe(401)
  })

  it('is worth nothing once its token is revoked', async () => {
    const { token, id } = createToken('eve')
    const code = await createCode(token)
    secretary('token', 'revoke', id)
    expect((await confirm(code)).cookie).toBe('')
  })

  it('is confirmed only from our own page', async () => {
    const code = await createCode(createToken('bob').token)
    const foreign: Record<string, string>[] = [
      { origin: 'null' },
      { origin: 'http://127.0.0.1:9' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect((await confirm(code, headers)).status, JSON.stringify(headers)).toBe(403)
    const withoutOrigin = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ code }),
      redirect: 'manual',
    })
    expect(withoutOrigin.status).toBe(403)
    const { status, location } = await confirm(code)
    expect([status, location]).toEqual([303, './tasks?state=open'])
  })

  it('is not used up by a browser that only loads ahead', async () => {
    const code = await createCode(owner)
    const ahead = await get(`/?code=${code}`, { 'sec-purpose': 'prefetch' })
    expect(ahead.headers.get('set-cookie')).toBeNull()
    expect(await userOf(cookieOf(await get(`/?code=${code}`)))).toBe('ada')
  })
})

describe('a browser’s session', () => {
  it('is no token and opens no MCP, also of a member', async () => {
    const { token } = createToken('bob')
    const cookie = await signIn(token)
    const value = cookie.split('=')[1] ?? ''
    expect(value).not.toContain(token)
    expect((await get('/api/v1/session', { authorization: `Bearer ${value}` })).status).toBe(401)
    expect((await get('/mcp', { cookie })).status).toBe(401)
    const { port } = new URL(server.url)
    for (const secret of [token, owner])
      expect(await userOf(`secretary-${port}=${secret}`)).toBe(401)
  })

  it('is another one each time', async () => {
    const { token } = createToken('bob')
    expect(await signIn(token)).not.toBe(await signIn(token))
  })

  it('ends when its token is revoked', async () => {
    const { token, id } = createToken('eve')
    const cookie = await signIn(token)
    expect(await userOf(cookie)).toBe('eve')
    secretary('token', 'revoke', id)
    expect(await userOf(cookie)).toBe(401)
  })

  it('ends when the person signs out', async () => {
    const cookie = await signIn(owner)
    const end = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/session`, { method: 'DELETE', headers })
    expect((await end({ cookie })).status).toBe(403)
    expect((await end({ cookie, origin: server.url })).status).toBe(204)
    expect(await userOf(cookie)).toBe(401)
  })

  it('is nowhere in the files of SECRETARY_HOME', async () => {
    const cookie = await signIn(owner)
    const code = await createCode(owner)
    const found = spawnSync(
      'grep',
      ['-rlaF', '-e', cookie.split('=')[1] ?? '', '-e', code, env.SECRETARY_HOME ?? ''],
      { encoding: 'utf8' },
    )
    expect(found.stdout).toBe('')
  })
})

describe('secretary open', () => {
  it('puts neither the token nor a code on a command line that other accounts can read', async () => {
    const folder = temporaryFolder()
    const record = join(folder, 'arguments')
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\nprintf '%s\\n' "$@" > "${record}.draft"\nmv "${record}.draft" "${record}"\n`,
      )
      chmodSync(join(folder, name), 0o755)
    }
    const said = execFileSync(process.execPath, [binary, 'open'], {
      env: {
        ...env,
        PATH: `${folder}${delimiter}${env.PATH}`,
        SECRETARY_PORT: new URL(server.url).port,
      },
      encoding: 'utf8',
    })
    await expect.poll(() => existsSync(record)).toBe(true)
    const opened = readFileSync(record, 'utf8').trim()
    expect(opened).not.toContain(owner)
    expect(opened).not.toMatch(/code=|token=/)
    expect(said).not.toContain(owner)
    const file = opened.replace(/^file:\/\//, '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [, code = ''] = /[?&]code=([\w-]+)/.exec(readFileSync(file, 'utf8')) ?? []
    expect(await userOf(cookieOf(await get(`/?code=${code}`)))).toBe('ada')
  })

  it('prints an address that signs in once', async () => {
    const said = execFileSync(process.execPath, [binary, 'open', '--print'], {
      env: { ...env, SECRETARY_PORT: new URL(server.url).port },
      encoding: 'utf8',
    }).trim()
    expect(said).toMatch(new RegExp(`^${server.url}/\\?code=[\\w-]{43}$`))
    expect(await userOf(cookieOf(await fetch(said, { redirect: 'manual' })))).toBe('ada')
  })

  it.each([
    ['another port', '127.0.0.1'],
    ['another address with any port', '127.0.0.2'],
  ])('tells nothing to a relay that passes on our server’s proof from %s', async (_what, host) => {
    const seen: string[] = []
    const relay = createServer((asked, response) => {
      seen.push(`${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}`)
      const { port } = new URL(server.url)
      const headers = { ...asked.headers, host: `127.0.0.1:${port}` }
      request(`${server.url}${asked.url}`, { method: asked.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }).end()
    })
    await new Promise<void>((resolve) => relay.listen(0, host, resolve))
    const child = spawn(process.execPath, [binary, 'open', '--print', '--until-stdin-ends'], {
      env: {
        ...env,
        SECRETARY_HOST: host,
        SECRETARY_PORT: String((relay.address() as AddressInfo).port),
      },
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    await new Promise((resolve) => child.once('exit', resolve))
    relay.close()
    expect(seen.length).toBeGreaterThan(0)
    expect(said).toMatch(/Port \d+ is in use/)
    expect(said + seen.join()).not.toContain(owner)
    expect(seen.join()).not.toContain('sign-in-codes')
  })
})
