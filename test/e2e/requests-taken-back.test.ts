import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { startHttpServer } from '../support/mcp-client.ts'
import { openZeppelinHouse, tool, type ZeppelinHouse } from '../support/zeppelin-house.ts'

describe.each(engines)('requests that were shared with a space, on $name', (engine) => {
  let house: ZeppelinHouse

  beforeAll(async () => {
    house = await openZeppelinHouse(engine)
    house.did('ada', 'dialogs', 'share', 'zep-1', 'web')
  })
  afterAll(() => house.close())

  it('are no longer seen by whoever leaves', async () => {
    const { call, did, seesNothing } = house
    did('ada', 'team', 'remove', 'web', 'bob')
    await seesNothing('bob', 'zep-1')
    did('ada', 'team', 'add', 'web', 'bob')
    await seesNothing('bob', 'zep-1')
    did('bob', 'team', 'accept', 'web')
    const found = await call('bob', tool('search_requests'), { query: 'zeppelin prices' })
    expect(found?.results[0]).toMatchObject({ by: 'ada' })
  })

  it('are taken back at once, also over the API and from one space of several', async () => {
    const { call, did, seesNothing, send } = house
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
    const { did, secretary, seesNothing, send } = house
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
    const { call, did, keep, seesNothing } = house
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
    const { did, keep, machine, seesNothing, send } = house
    expect(did('ada', 'team', 'share-requests', 'web')).toContain('from now on')
    keep('zep-3', 'Round zeppelin prices to even cents.', Date.now() + 600_000)
    const own = await startHttpServer({ env: machine })
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
