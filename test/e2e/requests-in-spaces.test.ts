import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { engines } from '../support/engines.ts'
import {
  binary,
  type Connection,
  connectStdio,
  connectToUrl,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { publishedClone } from '../support/published-clone.ts'
import { sendAs } from '../support/send-as.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ASK, CODE, keepZeppelins, SECRET } from '../support/zeppelin-dialog.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`
type Body = Record<string, unknown> & { results: Record<string, unknown>[] }

describe.each(engines)('requests that are shared with a space, on $name', (engine) => {
  let server: HttpServer
  let env: Record<string, string>
  /** Ada's machine, with her dialogs and a clone of her own. */
  const ada = new AgentsHome(temporaryFolder())
  const tokens = new Map<string, string>()
  const clients = new Map<string, Connection>()

  /** On SQLite her machine and the server use one file; with PostgreSQL they share nothing else. */
  const machine = (): Record<string, string> => {
    const home = engine.name === 'sqlite' ? env.SECRETARY_HOME : undefined
    return { ...env, ...ada.env, ...(home ? { SECRETARY_HOME: home } : {}), SECRETARY_USER: 'ada' }
  }
  const secretary = (user: string, ...args: string[]) =>
    spawnSync(process.execPath, [binary, ...args, '--user', user], {
      env: machine(),
      encoding: 'utf8',
    })
  const did = (user: string, ...args: string[]) => {
    const { status, stdout, stderr } = secretary(user, ...args)
    expect(status, `${args.join(' ')}: ${stderr}`).toBe(0)
    return stdout
  }
  const call = async (user: string, name: string, args: Record<string, unknown>) =>
    (await clients.get(user)?.call<Body>(name, args))?.body
  const send = sendAs(() => server, tokens)
  const keep = (sessionId: string, ask?: string, lastAt?: number) =>
    keepZeppelins(ada, sessionId, ask, lastAt)
  /** Every way in which somebody could come across what was asked. */
  const surfaces = async (user: string, sessionId: string) => [
    await call(user, tool('search_requests'), { query: 'zeppelin prices' }),
    await call(user, 'context_search', { query: 'zeppelin prices rounded', limit: 20 }),
    await call(user, 'context_pack', { goal: 'round the price of airships' }),
    await call(user, tool('why'), { file: 'src/price.ts', line: 1, endLine: 3 }),
    await call(user, tool('ledger'), { sessionId }),
    await call(user, tool('get_request'), { sessionId, index: 1 }),
    await call(user, tool('list_requests'), { sessionId }),
    await call(user, tool('recall'), {}),
    (await send(user, 'GET', '/api/v1/spaces/web/requests')).body,
    (await send(user, 'GET', '/api/v1/request-sharing')).body,
  ]
  const seesNothing = async (user: string, sessionId: string) => {
    const [search, context, pack, ...rest] = await surfaces(user, sessionId)
    expect(search).toMatchObject({ results: [] })
    const found: Body['results'] = context?.results ?? []
    expect(found.filter(({ source }) => source === 'session')).toEqual([])
    for (const shown of [context?.results, pack?.parts, ...rest])
      expect(JSON.stringify(shown) ?? '').not.toMatch(/Round zeppelin|zeppelins fly|"by"/)
  }

  beforeAll(async () => {
    env = isolatedEnvironment({ ...(await engine.fresh()), SECRETARY_RATE_LIMITS: 'off' })
    publishedClone(ada.project, { 'src/price.ts': CODE })
    publishedClone(env.SECRETARY_PROJECT ?? '', { 'src/price.ts': CODE })
    // The server is somebody else's machine, and has dialogs of nobody.
    server = await startHttpServer({ env: { ...env, SECRETARY_USER: 'host' } })
    for (const user of ['ada', 'bob', 'eve']) {
      const made = spawnSync(process.execPath, [binary, 'token', 'create', '--user', user], {
        env,
        encoding: 'utf8',
      })
      tokens.set(user, made.stdout.trim())
      clients.set(
        user,
        await connectToUrl(server.url, {
          headers: { authorization: `Bearer ${tokens.get(user)}` },
        }),
      )
    }
    keep('zep-1')
    did('ada', 'team', 'create', 'web')
    did('ada', 'team', 'add', 'web', 'bob', '--role', 'reader')
  })
  afterAll(async () => {
    for (const client of clients.values()) await client.close()
    await server.stop()
  })

  it('are nobody’s but the person’s until they share them', async () => {
    await seesNothing('bob', 'zep-1')
    expect(did('ada', 'dialogs', 'shared')).toContain('You share no dialogs')
  })

  it('are shared by those who may add to the space, and only by whoever asked', async () => {
    expect(secretary('ada', 'dialogs', 'share', 'zep-1', 'nowhere').stderr).toContain(
      'Space not found',
    )
    const other = await send('bob', 'PUT', '/api/v1/request-sharing/dialogs/zep-1', {
      space: 'everybody',
    })
    expect(other).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(await send('bob', 'PUT', '/api/v1/request-sharing', { space: 'web' })).toMatchObject({
      status: 403,
    })
    expect(did('ada', 'dialogs', 'share', 'zep-1', 'web')).toContain('Shared 2 requests with web')
  })

  it('are found by search, with the space and who asked', async () => {
    const found = await call('bob', tool('search_requests'), { query: 'zeppelin prices' })
    expect(found?.results[0]).toMatchObject({
      sessionId: 'zep-1',
      index: 1,
      request: ASK,
      space: 'web',
      by: 'ada',
    })
    const notes = await call('bob', 'context_search', { query: 'zeppelin prices rounded' })
    const shared = notes?.results.filter(({ source }) => source === 'session') ?? []
    expect(shared[0]).toMatchObject({ session: 'zep-1', space: 'web', by: 'ada' })
    const pack = await call('bob', 'context_pack', { goal: 'round zeppelin prices' })
    expect(JSON.stringify(pack)).toContain('by ada, shared with the space web')
  })

  it('are the reason for lines that nothing of one’s own explains', async () => {
    expect(
      await call('bob', tool('why'), { file: 'src/price.ts', line: 1, endLine: 3 }),
    ).toMatchObject({
      success: true,
      requests: [
        {
          sessionId: 'zep-1',
          index: 1,
          request: ASK,
          lines: [[1, 3]],
          evidence: 'exact',
          space: 'web',
          by: 'ada',
        },
      ],
      unexplained: [],
    })
    expect(await call('bob', tool('why'), { file: '.env', line: 1 })).toMatchObject({
      success: false,
      error: expect.not.stringContaining('past the end'),
    })
  })

  it('are told by the ledger and word for word', async () => {
    expect(await call('bob', tool('ledger'), { sessionId: 'zep-1' })).toMatchObject({
      success: true,
      space: 'web',
      by: 'ada',
      total: 2,
      entries: [
        { index: 1, request: ASK, files: [{ path: 'src/price.ts', plus: 3, standing: 1 }] },
        { index: 2, state: 'asked' },
      ],
    })
    const asked = { sessionId: 'zep-1', index: 2 }
    expect(await call('bob', tool('get_request'), asked)).toMatchObject({
      success: true,
      request: 'Thank you, zeppelins fly.',
      totalRequests: 2,
      space: 'web',
      by: 'ada',
    })
    expect(await call('bob', tool('get_request'), { ...asked, index: 3 })).toEqual({
      success: false,
      error: 'Index 3 exceeds total requests (2)',
    })
  })

  it('are found by the page, which shows the dialog', async () => {
    const { body } = await send('bob', 'GET', '/api/v1/find?q=zeppelin')
    const requests = body.groups.find(({ kind }: { kind: string }) => kind === 'request')
    expect(requests?.found.at(-1)).toMatchObject({
      session: 'zep-1',
      note: expect.stringMatching(/ada in web/),
    })
    const thread = await send('bob', 'GET', '/api/v1/dialogs/thread?session=zep-1')
    expect(thread.body).toMatchObject({
      dialog: { title: 'Shared by ada with web', requestsCount: 2 },
      requests: [{ index: 1, request: ASK }, { index: 2 }],
      total: 2,
    })
    const answers = await send('bob', 'GET', '/api/v1/dialogs/answers?session=zep-1')
    expect(answers.body.answers.length).toBeGreaterThan(0)
    for (const path of [
      'find?q=zeppelin',
      'dialogs/thread?session=zep-1',
      'dialogs/answers?session=zep-1',
    ])
      expect(JSON.stringify((await send('eve', 'GET', `/api/v1/${path}`)).body)).not.toMatch(
        /Round|fly/,
      )
    expect(await call('bob', tool('get_first_request'), { sessionId: 'zep-1' })).toMatchObject({
      success: true,
      firstRequest: expect.stringMatching(/^Round zeppelin/),
      requestsCount: 2,
      space: 'web',
      by: 'ada',
    })
    expect(await call('eve', tool('get_first_request'), { sessionId: 'zep-1' })).toEqual({
      success: false,
      error: 'Session not found: zep-1',
    })
  })

  it('are shown on the command line with who asked, on a machine that has no dialogs', () => {
    const said = (...args: string[]) =>
      spawnSync(process.execPath, [binary, ...args, '--user', 'bob'], { env, encoding: 'utf8' })
        .stdout
    expect(said('why', 'src/price.ts:1')).toContain('zep-1 #1 (exact, ada in web)')
    expect(said('dialogs', 'search', 'zeppelin prices')).toContain(', ada in web')
    expect(said('ledger', 'zep-1')).toContain('Shared by ada with web')
  })

  it('are one’s own where they were asked: told once, and without a space', async () => {
    const agent = await connectStdio({ env: machine() })
    try {
      const why = await agent.call(tool('why'), { file: 'src/price.ts', line: 1, endLine: 3 })
      expect(why.body).toMatchObject({ requests: [{ sessionId: 'zep-1', index: 1 }] })
      const found = await agent.call<Body>(tool('search_requests'), { query: 'zeppelin prices' })
      expect(found.body.results.map(({ index }) => index).sort()).toEqual([1, 2])
      const ledger = await agent.call(tool('ledger'), { sessionId: 'zep-1' })
      for (const { body } of [why, found, ledger])
        expect(JSON.stringify(body)).not.toContain('"by"')
      const query = { query: 'zeppelin prices rounded', limit: 20 }
      const notes = await agent.call<Body>('context_search', query)
      const said = notes.body.results.filter(({ source }) => source === 'session')
      expect(said.map(({ id }) => id).sort()).toEqual(['zep-1/1', 'zep-1/2'])
    } finally {
      await agent.close()
    }
  })

  it('are recalled in a few lines', async () => {
    const recalled = await call('bob', tool('recall'), {})
    expect(recalled?.fromOthers).toEqual(
      expect.arrayContaining([expect.stringMatching(/^ada in web, 2026-05-04: Round zeppelin/)]),
    )
  })

  it('say nothing of the machine, and hold no secret', async () => {
    const seen = JSON.stringify(await surfaces('bob', 'zep-1'))
    const backup = join(temporaryFolder(), 'all.gz')
    did('ada', 'backup', backup)
    const rows = spawnSync('gzip', ['-dc', backup], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.startsWith('["shared_requests"'))
    expect(rows).toHaveLength(2)
    for (const text of [seen, rows.join('\n')]) {
      expect(text).not.toContain(SECRET)
      for (const place of [ada.project, ada.home, dirname(ada.home)])
        expect(text).not.toContain(place)
      expect(text).not.toContain('zucchini')
      expect(text).not.toContain('notes.txt')
    }
    expect(rows[0]).not.toContain('.env')
    expect(rows[0]).toContain('npm test')
    expect(rows[0]).toContain('[redacted:')
  })

  it('do not exist for those who may not read the space', () => seesNothing('eve', 'zep-1'))

  it('are listed in the space and in its log, which holds no words', async () => {
    expect((await send('bob', 'GET', '/api/v1/spaces/web/requests')).body).toMatchObject({
      total: 1,
      dialogs: [{ sessionId: 'zep-1', by: 'ada', requests: 2 }],
    })
    expect(await send('eve', 'GET', '/api/v1/spaces/web/requests')).toMatchObject({ status: 404 })
    const { body } = await send('bob', 'GET', '/api/v1/spaces/web/audit?limit=1')
    expect(body.entries).toMatchObject([
      {
        user: 'ada',
        action: 'share',
        subject: { kind: 'request', id: 'zep-1' },
        text: '2 requests',
      },
    ])
  })

  it('are no longer seen by whoever leaves', async () => {
    did('ada', 'team', 'remove', 'web', 'bob')
    await seesNothing('bob', 'zep-1')
    did('ada', 'team', 'add', 'web', 'bob')
    const found = await call('bob', tool('search_requests'), { query: 'zeppelin prices' })
    expect(found?.results[0]).toMatchObject({ by: 'ada' })
  })

  it('are taken back at once, also over the API and from one space of several', async () => {
    did('ada', 'dialogs', 'share', 'zep-1', 'everybody')
    expect(await send('bob', 'DELETE', '/api/v1/request-sharing/dialogs/zep-1')).toMatchObject({
      status: 404,
    })
    did('ada', 'dialogs', 'unshare', 'zep-1', 'web')
    const found = await call('eve', tool('search_requests'), { query: 'zeppelin prices' })
    expect(found?.results[0]).toMatchObject({ space: 'everybody' })
    expect(await send('ada', 'DELETE', '/api/v1/request-sharing/dialogs/zep-1')).toMatchObject({
      status: 204,
    })
    for (const user of ['bob', 'eve']) await seesNothing(user, 'zep-1')
  })

  it('are removed by operators of the space and by nobody else, which the log tells', async () => {
    did('ada', 'dialogs', 'share', 'zep-1', 'web')
    const path = '/api/v1/spaces/web/requests/zep-1?by=ada'
    expect(await send('eve', 'DELETE', path)).toMatchObject({ status: 404 })
    expect(await send('bob', 'DELETE', path)).toMatchObject({ status: 403 })
    expect(secretary('bob', 'dialogs', 'unshare', 'zep-1', 'web', '--by', 'ada').status).toBe(1)
    did('ada', 'team', 'role', 'web', 'bob', 'operator')
    expect(await send('bob', 'DELETE', path.replace('by=ada', 'by=eve'))).toMatchObject({
      status: 404,
    })
    expect(await send('bob', 'DELETE', path)).toMatchObject({ status: 204 })
    await seesNothing('bob', 'zep-1')
    did('ada', 'dialogs', 'share', 'zep-1', 'web')
    expect(did('bob', 'dialogs', 'unshare', 'zep-1', 'web', '--by', 'ada')).toContain('of ada')
    await seesNothing('bob', 'zep-1')
    const { body } = await send('bob', 'GET', '/api/v1/spaces/web/audit?limit=1')
    const subject = { kind: 'request', id: 'zep-1' }
    expect(body.entries).toMatchObject([
      { user: 'bob', action: 'unshare', subject, text: '2 requests of ada' },
    ])
    did('ada', 'team', 'role', 'web', 'bob', 'member')
  })

  it('are gone everywhere once their dialog is forgotten', async () => {
    keep('zep-2', 'Round zeppelin prices down again.')
    did('ada', 'dialogs', 'share', 'zep-2', 'web')
    const found = await call('bob', tool('search_requests'), { query: 'zeppelin prices' })
    expect(found?.results[0]).toMatchObject({ sessionId: 'zep-2' })
    did('ada', 'forget', 'zep-2', '--yes')
    await seesNothing('bob', 'zep-2')
    expect(JSON.parse(did('ada', 'dialogs', 'shared', '--json'))).toEqual({
      dialogs: [],
      standing: [],
    })
  })

  it('of a project are shared as they are read, from when the person said so until they stop', async () => {
    expect(did('ada', 'team', 'share-requests', 'web')).toContain('from now on')
    keep('zep-3', 'Round zeppelin prices to even cents.', Date.now() + 600_000)
    const own = await startHttpServer({ env: machine() })
    try {
      await expect
        .poll(async () => (await send('bob', 'GET', '/api/v1/spaces/web/requests')).body.dialogs)
        .toMatchObject([{ sessionId: 'zep-3', by: 'ada' }])
      const { body } = await send('ada', 'GET', '/api/v1/request-sharing')
      expect(body).toMatchObject({ standing: [{ space: 'web', here: true }] })
      // Taken back, it stays with the person, whatever is read.
      did('ada', 'dialogs', 'unshare', 'zep-3')
      keep('zep-3', 'Round zeppelin prices to odd cents.', Date.now() + 700_000)
      keep('zep-4', 'Paint the zeppelin blue.', Date.now() + 600_000)
      await expect
        .poll(async () => (await send('bob', 'GET', '/api/v1/spaces/web/requests')).body.dialogs)
        .toMatchObject([{ sessionId: 'zep-4' }])
      expect(did('ada', 'team', 'share-requests', 'web', '--stop', '--remove')).toContain(
        '1 dialog taken back',
      )
      await seesNothing('bob', 'zep-4')
    } finally {
      await own.stop()
    }
  })
})
