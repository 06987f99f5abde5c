import { printsOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../test/support/join-space.ts'
import { Spaces } from '../../spaces/spaces.ts'
import { createSpaceStore } from '../../spaces/store/space-store.ts'
import {
  createSharedRequestStore,
  type DialogToShare,
  type RequestToShare,
} from './requests-in-spaces.ts'

const NOW = '2026-03-01T10:00:00.000Z'
const LATER = '2026-03-02T10:00:00.000Z'
const project = 'example.com/shop'

const lines = {
  plus: 2,
  minus: 0,
  came: printsOf(['export const price = 1', 'return price * 2']),
  gone: [],
}
const asked = (position: number, more: Partial<RequestToShare> = {}): RequestToShare => ({
  position,
  askedAt: `2026-02-0${position}T10:00:00.000Z`,
  request: `Request ${position}`,
  deeds: [],
  ...more,
})

describe.each(engines)('requests that are shared, in $name', async (engine) => {
  const database = await openFresh(engine)
  afterAll(() => database.close())
  const store = createSharedRequestStore(database)
  const spaces = new Spaces(createSpaceStore(database))
  const ada = { user: 'ada' }
  const web = await spaces.create(ada, 'web')
  const ops = await spaces.create(ada, 'ops')
  await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'reader' })
  const dialog = (sessionId: string, more: Partial<DialogToShare> = {}): DialogToShare => ({
    user: 'ada',
    space: web.id,
    sessionId,
    project,
    source: 'claude-code',
    requests: [asked(1), asked(2)],
    ...more,
  })
  const latest = async (user: string) =>
    (await store.latest(user, { project, limit: 50 })).map(
      ({ sessionId, position }) => `${sessionId}/${position}`,
    )
  const log = async (space = 'web') =>
    (await spaces.audit(ada, space, { limit: 100, offset: 0 })).entries
      .filter(({ subject }) => subject.kind === 'request')
      .map(({ user, action, subject, text }) => [user, action, subject.id, text].join(' '))
      .reverse()

  it('are read by those who may read the space, with who shares them and where', async () => {
    const change = {
      kind: 'change',
      at: 1,
      place: 0,
      time: 5,
      path: 'src/price.ts',
      lines,
    } as const
    const command = {
      kind: 'command',
      at: 2,
      place: 0,
      time: 6,
      text: 'npm test',
      exit: 0,
    } as const
    const requests = [asked(1, { answer: 'Done.', deeds: [change, command] }), asked(2)]
    expect(await store.share(dialog('s1', { requests }), NOW)).toBe(2)
    expect(await store.ofSession('bob', 's1')).toEqual([
      {
        by: 'ada',
        space: 'web',
        sessionId: 's1',
        position: 1,
        source: 'claude-code',
        askedAt: '2026-02-01T10:00:00.000Z',
        request: 'Request 1',
        answer: 'Done.',
        files: ['src/price.ts'],
        deeds: [change, command],
      },
      expect.objectContaining({ position: 2, files: [], deeds: [] }),
    ])
    expect(await latest('bob')).toEqual(['s1/2', 's1/1'])
    const name = { by: 'ada', sessionId: 's1', position: 2 }
    expect(await store.find('bob', [name, { ...name, by: 'bob' }])).toMatchObject([name])
    expect(await store.ofSpace('bob', web.id, project)).toHaveLength(2)
    const page = { limit: 10, offset: 0 }
    expect(await store.inSpace('bob', web.id, page)).toMatchObject({
      total: 1,
      dialogs: [{ sessionId: 's1', by: 'ada', requests: 2, lastAskedAt: asked(2).askedAt }],
    })
  })

  it('do not exist for anybody else', async () => {
    const name = { by: 'ada', sessionId: 's1', position: 1 }
    expect(await store.ofSession('eve', 's1')).toEqual([])
    expect(await latest('eve')).toEqual([])
    expect(await store.worked('eve', { project, limit: 9 })).toEqual([])
    expect(await store.find('eve', [name])).toEqual([])
    expect(await store.ofSpace('eve', web.id, project)).toEqual([])
    expect(await store.inSpace('eve', web.id, { limit: 10, offset: 0 })).toEqual({
      dialogs: [],
      total: 0,
    })
    expect(await store.sharedBy('eve')).toEqual([])
  })

  it('are found by a file that they changed, and by no file whose name only looks like it', async () => {
    const touching = async (file: string) =>
      (await store.worked('bob', { project, file, limit: 9 })).map(({ position }) => position)
    expect(await touching('src/price.ts')).toEqual([1])
    for (const other of ['price.ts', 'src/price.t', 'src/%', 'src_price.ts', 'src/priceXts'])
      expect(await touching(other)).toEqual([])
    expect(await store.latest('ada', { project, limit: 9, byOthers: true })).toEqual([])
    expect(await store.latest('bob', { project: 'example.com/other', limit: 9 })).toEqual([])
  })

  it('are replaced when they are shared again, and come once from several spaces', async () => {
    await store.share(dialog('s1', { requests: [asked(1), asked(2), asked(3)] }), LATER)
    await store.share(dialog('s1', { space: ops.id }), NOW)
    expect(await latest('ada')).toEqual(['s1/3', 's1/2', 's1/1'])
    expect(await store.ofSession('ada', 's1')).toMatchObject([
      { space: 'web' },
      { space: 'web' },
      { space: 'web' },
    ])
    await store.share(dialog('s1', { requests: [asked(1)] }), LATER)
    expect(await latest('bob')).toEqual(['s1/1'])
    expect(await store.takeBack('ada', { sessions: ['s1'], space: 'ops' }, LATER)).toBe(1)
    expect(await log()).toEqual([
      'ada share s1 2 requests',
      'ada update s1 3 requests',
      'ada update s1 1 request',
    ])
    expect(await log('ops')).toEqual(['ada share s1 2 requests', 'ada unshare s1 2 requests'])
  })

  it('are taken back by whoever shared them and by nobody else, also after they have left', async () => {
    await changeAndJoin(spaces, ada, 'web', { user: 'cyd', role: 'member' })
    await store.share(dialog('s2', { user: 'cyd' }), NOW)
    await store.keepSharing('cyd', project, web.id, NOW)
    await spaces.changeMember({ user: 'cyd' }, 'web', { user: 'cyd' })
    expect(await store.standing('cyd')).toEqual([])
    expect(await latest('cyd')).toEqual([])
    expect(await latest('bob')).toContain('s2/1')
    expect(await store.takeBack('ada', { sessions: ['s2'] }, NOW)).toBe(0)
    expect(await store.sharedBy('cyd')).toMatchObject([{ sessionId: 's2', space: 'web' }])
    expect(await store.takeBack('cyd', { sessions: ['s2'] }, NOW)).toBe(1)
    expect(await latest('bob')).not.toContain('s2/1')
    expect(await log()).toContain('cyd unshare s2 2 requests')
  })

  it('that were taken back are not shared by a standing share, until the person shares them again', async () => {
    const standing = { isStanding: true }
    expect(await store.share(dialog('s3'), NOW, standing)).toBe(2)
    await store.takeBack('ada', { sessions: ['s3'] }, NOW)
    expect(await store.share(dialog('s3'), NOW, standing)).toBeUndefined()
    expect(await latest('bob')).not.toContain('s3/1')
    await store.share(dialog('s3'), NOW)
    expect(await store.share(dialog('s3'), NOW, standing)).toBe(2)
    expect(await store.takeBack('ada', { project, space: web.id }, NOW)).toBe(2)
    expect(await latest('bob')).toEqual([])
  })

  it('raise the version of their space when they come and when they go', async () => {
    const version = async () => (await store.versions([web.id])).get(web.id) ?? 0
    const before = await version()
    await store.share(dialog('s4'), NOW)
    const after = await version()
    expect(after).toBeGreaterThan(before)
    await store.takeBack('ada', { sessions: ['s4'], isForgotten: true }, NOW)
    expect(await version()).toBeGreaterThan(after)
    expect(await store.versions([])).toEqual(new Map())
  })

  it('of a project are shared from now on until the person stops', async () => {
    await store.keepSharing('ada', project, web.id, NOW)
    await store.keepSharing('ada', project, web.id, LATER)
    expect(await store.standing('ada')).toEqual([
      { project, spaceId: web.id, space: 'web', since: NOW },
    ])
    expect(await store.standing('bob')).toEqual([])
    expect(await store.stopSharing('bob', project, 'web')).toBe(false)
    expect(await store.stopSharing('ada', project, 'web')).toBe(true)
    expect(await store.standing('ada')).toEqual([])
  })

  it('go with their space', async () => {
    const docs = await spaces.create(ada, 'docs')
    await store.share(dialog('s6', { space: docs.id }), NOW)
    await store.keepSharing('ada', project, docs.id, NOW)
    await spaces.remove(ada, 'docs')
    expect(await store.sharedBy('ada')).toEqual([])
    expect(await store.standing('ada')).toEqual([])
    expect(await store.ofSession('ada', 's6')).toEqual([])
  })

  it('are shared and taken back by several at once without a failure', async () => {
    const many = Array.from({ length: 120 }, (_, place) => ({ ...asked(1), position: place + 1 }))
    await Promise.all(
      Array.from({ length: 6 }, (_, turn) =>
        turn % 3 === 2
          ? store.takeBack('ada', { sessions: ['s5'], isForgotten: true }, NOW)
          : store.share(dialog('s5', { requests: many }), NOW),
      ),
    )
    await store.share(dialog('s5', { requests: many }), NOW)
    expect(await store.ofSession('bob', 's5')).toHaveLength(120)
    await store.takeBack('ada', { sessions: ['s5'] }, NOW)
  })
})
