import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  binary,
  type Connection,
  connectToUrl,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { sendAs } from '../support/send-as.ts'

let server: HttpServer
const env = isolatedEnvironment()
const secretary = (user: string, ...args: string[]) =>
  spawnSync(process.execPath, [binary, ...args, '--user', user], { env, encoding: 'utf8' })
const tokenOf = (user: string) =>
  execFileSync(process.execPath, [binary, 'token', 'create', '--user', user], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const tokens = new Map<string, string>()
const send = sendAs(() => server, tokens)

const connect = (user: string) =>
  connectToUrl(server.url, { headers: { authorization: `Bearer ${tokens.get(user)}` } })

beforeAll(async () => {
  for (const user of ['ada', 'bob', 'eve']) tokens.set(user, tokenOf(user))
  server = await startHttpServer({ env })
})
afterAll(() => server.stop())

const join = (user: string, space: string) => send(user, 'POST', `/api/v1/invitations/${space}`)
const invite = async (space: string, user = '', role = '') => {
  const path = `/api/v1/spaces/${space}/members/${user}`
  expect(await send('ada', 'PUT', path, { role })).toMatchObject({ status: 204 })
  expect(await join(user, space)).toMatchObject({ status: 204 })
}

describe('an invitation', () => {
  it('gives nothing of a space to a person, and shares nothing of theirs, until they accept', async () => {
    const made = await send('ada', 'POST', '/api/v1/spaces', { name: 'pending' })
    const at = `/api/v1/spaces/${made.body.space.id}`
    const { id } = (await send('ada', 'POST', '/api/v1/tasks', { title: 'Hidden until joined' }))
      .body.task
    await send('ada', 'PUT', `/api/v1/tasks/${id}/space`, { space: 'pending' })
    const put = { role: 'member' }
    expect(await send('ada', 'PUT', `${at}/members/bob`, put)).toMatchObject({ status: 204 })
    for (const path of [`${at}/members`, `${at}/audit`, `${at}/documents`, `/api/v1/tasks/${id}`])
      expect((await send('bob', 'GET', path)).status, path).toBe(404)
    expect(JSON.stringify(await send('bob', 'GET', '/api/v1/spaces'))).not.toContain('pending')
    expect(JSON.stringify(await send('bob', 'GET', '/api/v1/tasks'))).not.toContain('Hidden')
    const own = (await send('bob', 'POST', '/api/v1/tasks', { title: 'Bob’s' })).body.task.id
    const shared = await send('bob', 'PUT', `/api/v1/tasks/${own}/space`, { space: 'pending' })
    expect(shared.status).toBe(404)
    expect((await send('bob', 'GET', '/api/v1/invitations')).body).toMatchObject({
      invitations: [{ space: { name: 'pending' }, role: 'member', invitedBy: 'ada' }],
    })
    expect((await send('ada', 'GET', `${at}/members`)).body).toMatchObject({
      members: [{ user: 'ada' }, { user: 'bob', isInvited: true }],
    })
    expect((await join('bob', made.body.space.id)).status).toBe(204)
    expect((await send('bob', 'GET', `/api/v1/tasks/${id}`)).status).toBe(200)
    expect((await send('bob', 'DELETE', `${at}/members/bob`)).status).toBe(204)
    await send('ada', 'DELETE', `/api/v1/tasks/${id}`)
    await send('bob', 'DELETE', `/api/v1/tasks/${own}`)
  })

  it('is answered only by the person, and only once', async () => {
    const made = await send('ada', 'POST', '/api/v1/spaces', { name: 'once' })
    const { id } = made.body.space
    await send('ada', 'PUT', `/api/v1/spaces/${id}/members/bob`, { role: 'reader' })
    for (const user of ['ada', 'eve']) expect((await join(user, id)).status, user).toBe(404)
    expect((await send('bob', 'DELETE', `/api/v1/invitations/${id}`)).status).toBe(204)
    expect((await join('bob', id)).status).toBe(404)
    await send('ada', 'PUT', `/api/v1/spaces/${id}/members/bob`, { role: 'reader' })
    expect((await send('ada', 'DELETE', `/api/v1/spaces/${id}/members/bob`)).status).toBe(204)
    expect((await join('bob', id)).status).toBe(404)
    expect((await send('bob', 'GET', `/api/v1/spaces/${id}/members`)).status).toBe(404)
  })
})

describe('a space', () => {
  it('is made and filled over the API, under the rules of roles', async () => {
    const made = await send('ada', 'POST', '/api/v1/spaces', { name: 'Web team' })
    expect(made).toMatchObject({ status: 201, body: { space: { role: 'operator' } } })
    const at = `/api/v1/spaces/${made.body.space.id}`
    expect(await send('bob', 'GET', `${at}/members`)).toMatchObject({ status: 404 })
    const put = (by: string, user: string, role: string) =>
      send(by, 'PUT', `${at}/members/${user}`, { role })
    expect(await put('ada', 'bob', 'reader')).toMatchObject({ status: 204 })
    expect(await join('bob', made.body.space.id)).toMatchObject({ status: 204 })
    expect(await put('bob', 'eve', 'reader')).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect(await put('ada', 'bob', 'king')).toMatchObject({ status: 400 })
    expect(await send('bob', 'GET', `${at}/members`)).toEqual({
      status: 200,
      body: {
        members: [
          { user: 'ada', role: 'operator' },
          { user: 'bob', role: 'reader' },
        ],
      },
    })
    expect(await send('ada', 'DELETE', `${at}/members/ada`)).toMatchObject({
      status: 409,
      body: { error: 'last_operator' },
    })
    expect(await send('bob', 'GET', `${at}/audit?limit=1`)).toMatchObject({
      status: 200,
      body: { total: 3, entries: [{ user: 'bob', action: 'join', subject: { id: 'bob' } }] },
    })
    expect(await send('bob', 'DELETE', `${at}/members/bob`)).toMatchObject({ status: 204 })
    expect((await send('bob', 'GET', '/api/v1/spaces')).body.spaces).toMatchObject([
      { name: 'everybody', role: 'member' },
    ])
    expect(await send('eve', 'POST', '/api/v1/spaces', { name: 'Web team' })).toMatchObject({
      status: 409,
    })
  })

  it('is made and filled on the command line', () => {
    expect(secretary('ada', 'team', 'create', 'ops').stdout).toContain('Created ops')
    expect(secretary('ada', 'team', 'add', 'ops', 'bob', '--role', 'reader').stdout).toContain(
      'Invited bob to ops as reader',
    )
    expect(secretary('bob', 'team', 'members', 'ops').stderr).toBe('Space not found\n')
    expect(secretary('bob', 'team', 'invitations').stdout).toMatch(/ops\s+reader\s+ada/)
    expect(secretary('eve', 'team', 'accept', 'ops').stderr).toContain('You are not invited')
    expect(secretary('bob', 'team', 'accept', 'ops').stdout).toBe('You have joined ops\n')
    const refused = secretary('bob', 'team', 'add', 'ops', 'eve')
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('Only an operator of the space')
    expect(secretary('eve', 'team', 'members', 'ops').stderr).toBe('Space not found\n')
    expect(secretary('ada', 'team', 'role', 'ops', 'bob', 'operator').status).toBe(0)
    expect(secretary('ada', 'team', 'role', 'ops', 'bob', 'king').status).toBe(2)
    expect(secretary('ada', 'team', 'leave', 'ops').stdout).toBe('ada has left ops\n')
    expect(secretary('bob', 'team', 'leave', 'ops').stderr).toContain('The last operator')
    expect(JSON.parse(secretary('bob', 'team', 'list', '--json').stdout)).toMatchObject([
      { name: 'everybody' },
      { name: 'ops', role: 'operator' },
    ])
    expect(secretary('bob', 'team', 'members', 'ops').stdout).toMatch(/bob\s+operator/)
    expect(secretary('bob', 'team', 'audit', 'ops').stdout).toMatch(
      /ada\s+role\s+member bob reader/,
    )
  })
})

describe('a task', () => {
  const add = async (user: string, title: string): Promise<number> =>
    (await send(user, 'POST', '/api/v1/tasks', { title })).body.task.id

  it('is shared with a space and taken back over the API', async () => {
    await send('ada', 'POST', '/api/v1/spaces', { name: 'docs' })
    for (const [user, role] of [
      ['bob', 'member'],
      ['eve', 'reader'],
    ])
      await invite('docs', user, role)
    const id = await add('ada', 'Write the manual')
    const at = `/api/v1/tasks/${id}`
    expect(await send('bob', 'GET', at)).toMatchObject({ status: 404 })
    expect(await send('ada', 'PUT', `${at}/space`, { space: 'docs' })).toMatchObject({
      status: 200,
      body: { task: { id, space: 'docs' } },
    })
    expect(await send('eve', 'GET', '/api/v1/tasks')).toMatchObject({
      body: { tasks: [{ id, space: 'docs' }], total: 1 },
    })
    expect(await send('eve', 'GET', '/api/v1/tasks?text=manual')).toMatchObject({
      body: { tasks: [{ id, space: 'docs' }], total: 1 },
    })
    expect(await send('eve', 'PATCH', at, { title: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect(await send('bob', 'PATCH', at, { state: 'doing' })).toMatchObject({
      status: 200,
      body: { task: { state: 'doing', space: 'docs' } },
    })
    const found = await send('eve', 'GET', '/api/v1/find?q=manual')
    expect(JSON.stringify(found.body)).toContain('Write the manual')
    expect(await send('eve', 'DELETE', `${at}/space`)).toMatchObject({ status: 403 })
    expect(await send('ada', 'DELETE', `${at}/space`)).toMatchObject({ status: 204 })
    expect(await send('eve', 'GET', '/api/v1/tasks')).toMatchObject({ body: { total: 0 } })
  })

  it('is shared on the command line', () => {
    secretary('ada', 'team', 'create', 'shell')
    secretary('ada', 'team', 'add', 'shell', 'bob')
    secretary('bob', 'team', 'accept', 'shell')
    const added = secretary('ada', 'tasks', 'add', 'Sweep the floor').stdout
    const id = /\d+/.exec(added)?.[0] ?? ''
    expect(secretary('ada', 'tasks', 'share', id, 'shell').stdout).toContain('[ada in shell]')
    expect(secretary('bob', 'tasks').stdout).toMatch(/Sweep the floor \[ada in shell\]/)
    expect(secretary('bob', 'tasks', 'unshare', id).stderr).toContain('does not allow')
    expect(secretary('bob', 'tasks', 'done', id).status).toBe(0)
    expect(secretary('ada', 'tasks', 'unshare', id).stdout).toContain('no longer shared')
    expect(secretary('bob', 'tasks', '--all').stdout).not.toContain('Sweep')
    expect(secretary('bob', 'tasks', 'share', 'x', 'shell').status).toBe(2)
  })
})

describe('a discovery', () => {
  it('that is recorded in a space is found by those who belong to it, and says so', async () => {
    await send('ada', 'POST', '/api/v1/spaces', { name: 'search' })
    await invite('search', 'bob', 'reader')
    const content = 'Zeppelins are inflated with helium because hydrogen burns'
    const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map(connect))
    const record = (by: Connection | undefined, space: string) =>
      by?.attempt('record_discovery', { type: 'decision', content, space })
    expect((await record(bob, 'search'))?.body).toMatchObject({
      error: expect.stringContaining('reader of search'),
    })
    expect((await record(eve, 'search'))?.body).toMatchObject({ error: 'Space not found' })
    expect((await record(ada, 'search'))?.body).toMatchObject({ space: 'search', session: null })
    const search = async (by: Connection | undefined) =>
      JSON.stringify((await by?.call('context_search', { query: 'inflated zeppelins' }))?.body)
    for (const one of [ada, bob]) {
      expect(await search(one)).toContain('"space":"search"')
      expect(
        JSON.stringify((await one?.call('context_pack', { goal: 'inflate zeppelins' }))?.body),
      ).toContain('in the space search')
    }
    expect(await search(eve)).not.toContain('helium')
    const decisions = async (user: string) => (await send(user, 'GET', '/api/v1/decisions')).body
    expect(await decisions('bob')).toMatchObject({
      total: 1,
      decisions: [{ content, space: 'search' }],
    })
    expect(await decisions('eve')).toMatchObject({ total: 0 })
    const found = async (user: string) =>
      JSON.stringify((await send(user, 'GET', '/api/v1/find?q=zeppelins')).body)
    expect(await found('bob')).toContain('decision, search')
    expect(await found('eve')).not.toContain('helium')
    await send('ada', 'DELETE', '/api/v1/spaces/search/members/bob')
    expect(await search(bob)).not.toContain('helium')
    expect(await decisions('bob')).toMatchObject({ total: 0 })
    await Promise.all([ada, bob, eve].map((one) => one?.close()))
  })
})

describe('a space of readers', () => {
  it('has copies of documents, which its people read and nobody else', async () => {
    const made = await send('ada', 'POST', '/api/v1/spaces', { name: 'Readers' })
    const at = `/api/v1/spaces/${made.body.space.id}`
    await invite(made.body.space.id, 'bob', 'reader')
    const path = 'guidelines/errors.md'
    expect(await send('bob', 'PUT', `${at}/documents`, { path })).toMatchObject({ status: 403 })
    expect(await send('eve', 'GET', `${at}/documents`)).toMatchObject({ status: 404 })
    expect(await send('ada', 'PUT', `${at}/documents`, { path })).toMatchObject({ status: 204 })
    expect(await send('bob', 'GET', `${at}/documents`)).toMatchObject({
      status: 200,
      body: { documents: [{ path, author: 'ada' }] },
    })
    const read = async (user: string) => {
      const agent = await connect(user)
      const expression = 'spaces/Readers'
      const { body } = await agent.attempt('guide_get_content', { expression })
      await agent.close()
      return JSON.stringify(body)
    }
    expect(await read('bob')).toContain('guide://spaces/Readers/guidelines/errors.md')
    expect(await read('eve')).toContain('not_found')
    const shown = secretary('bob', 'guide', 'show', 'spaces/Readers')
    expect(shown.stdout).toContain('# Error handling')
    expect(secretary('bob', 'guide', 'unshare', path, 'Readers').status).toBe(1)
    expect(secretary('ada', 'guide', 'unshare', path, 'Readers').status).toBe(0)
    expect(await read('bob')).toContain('not_found')
  })
})
