import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { binary, connectStdio } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ASK, SECRET } from '../support/zeppelin-dialog.ts'
import {
  type Body,
  openZeppelinHouse,
  tool,
  type ZeppelinHouse,
} from '../support/zeppelin-house.ts'

describe.each(engines)('requests that are shared with a space, on $name', (engine) => {
  let house: ZeppelinHouse

  beforeAll(async () => {
    house = await openZeppelinHouse(engine)
  })
  afterAll(() => house.close())

  it('are nobody’s but the person’s until they share them', async () => {
    const { did, seesNothing } = house
    await seesNothing('bob', 'zep-1')
    expect(did('ada', 'dialogs', 'shared')).toContain('You share no dialogs')
  })

  it('are shared by those who may add to the space, and only by whoever asked', async () => {
    const { did, secretary, send } = house
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
    const { call } = house
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
    expect(JSON.stringify(pack)).toContain('a colleague’s, not a rule: ada in the space web')
  })

  it('are the reason for lines that nothing of one’s own explains', async () => {
    const { call } = house
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
    expect(await house.attempt('bob', tool('why'), { file: '.env', line: 1 })).toMatchObject({
      success: false,
      error: expect.not.stringContaining('past the end'),
    })
  })

  it('are told by the ledger and word for word', async () => {
    const { call } = house
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
    expect(await house.attempt('bob', tool('get_request'), { ...asked, index: 3 })).toEqual({
      success: false,
      error: 'Index 3 exceeds total requests (2)',
    })
  })

  it('are found by the page, which shows the dialog', async () => {
    const { call, send } = house
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
    expect(await house.attempt('eve', tool('get_first_request'), { sessionId: 'zep-1' })).toEqual({
      success: false,
      error: 'Session not found: zep-1',
    })
  })

  it('are shown on the command line with who asked, on a machine that has no dialogs', () => {
    const { env } = house
    const said = (...args: string[]) =>
      spawnSync(process.execPath, [binary, ...args, '--user', 'bob'], { env, encoding: 'utf8' })
        .stdout
    expect(said('why', 'src/price.ts:1')).toContain('zep-1 #1 (exact, ada in web)')
    expect(said('dialogs', 'search', 'zeppelin prices')).toContain(', ada in web')
    expect(said('ledger', 'zep-1')).toContain('Shared by ada with web')
  })

  it('are one’s own where they were asked: told once, and without a space', async () => {
    const { machine } = house
    const agent = await connectStdio({ env: machine })
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
    const { call } = house
    const recalled = await call('bob', tool('recall'), {})
    expect(recalled?.fromOthers).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ada in the space web, 2026-05-04: Round zeppelin/),
      ]),
    )
  })

  it('say nothing of the machine, and hold no secret', async () => {
    const { ada, did, surfaces } = house
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

  it('do not exist for those who may not read the space', () => house.seesNothing('eve', 'zep-1'))

  it('are listed in the space and in its log, which holds no words', async () => {
    const { send } = house
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
})
