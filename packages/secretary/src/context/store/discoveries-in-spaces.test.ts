import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../test/support/join-space.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { Spaces } from '../../spaces/spaces.ts'
import { createSpaceStore } from '../../spaces/store/space-store.ts'
import { Discoveries } from '../discoveries/discoveries.ts'
import { createDiscoveryStore } from './discovery-store.ts'

describe.each(engines)('what a space knows, in $name', async (engine) => {
  const database = await openFresh(engine)
  afterAll(() => database.close())
  const store = createDiscoveryStore(database)
  const spaces = new Spaces(createSpaceStore(database))
  const project = temporaryFolder()
  const [ada, bob, eve] = [
    { user: 'ada', project },
    { user: 'bob', project },
    { user: 'eve', project },
  ]
  const web = await spaces.create(ada, 'web')
  await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'reader' })
  const all = { limit: 100, withSpaces: true }
  const fact = { type: 'rule', content: 'Prices are kept in cents' } as const

  it('is read by those who belong to it, and is apart from what is their own', async () => {
    const discoveries = new Discoveries(store)
    const own = (await discoveries.record(ada, { ...fact, dialog: 'd1' })).discovery
    const common = await discoveries.record(ada, {
      ...fact,
      space: web,
      dialog: 'd1',
      session: 's',
    })
    expect(common).toMatchObject({ merged: false, discovery: { space: 'web' } })
    expect(common.discovery.session).toBeUndefined()
    expect(common.discovery.sources).toEqual([{ date: common.discovery.date }])
    const ids = async (owner: typeof ada, filter: object = all) =>
      (await store.list(owner, { limit: 100, ...filter })).discoveries.map(({ id }) => id).sort()
    expect(await ids(ada)).toEqual([own.id, common.discovery.id].sort())
    expect(await ids(ada, {})).toEqual([own.id])
    expect(await ids(bob)).toEqual([common.discovery.id])
    expect(await store.list(eve, all)).toEqual({ discoveries: [], total: 0 })
    expect(await store.find(eve, [own.id, common.discovery.id])).toEqual([])
    expect(await store.find(bob, [own.id, common.discovery.id])).toMatchObject([
      { id: common.discovery.id, space: 'web', spaceId: web.id },
    ])
    await store.touch(eve, [common.discovery.id], '2026-01-01T00:00:00.000Z')
    expect((await store.find(bob, [common.discovery.id]))[0]?.accessCount).toBe(0)
  })

  it('is confirmed by whoever says it again there, and both are written down', async () => {
    await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'member' })
    const discoveries = new Discoveries(store)
    const again = await discoveries.record(bob, { ...fact, space: web })
    expect(again).toMatchObject({ merged: true, discovery: { space: 'web' } })
    const newer = { type: 'rule', content: 'Prices are kept in euro cents', space: web } as const
    const { discovery } = await discoveries.record(bob, newer)
    expect(discovery.follows).toBe(again.discovery.id)
    const checked = await discoveries.find(ada, [again.discovery.id])
    expect(checked.get(again.discovery.id)?.newer).toBe(discovery.id)
    const { entries } = await spaces.audit(ada, 'web', { limit: 3, offset: 0 })
    expect(entries.map(({ user, action, text }) => [user, action, text])).toEqual([
      ['bob', 'record', 'rule'],
      ['bob', 'confirm', 'rule'],
      ['ada', 'role', 'reader → member'],
    ])
  })

  it('is the same in every clone of the project, and what was stored by its folder is still found there', async () => {
    const discoveries = new Discoveries(store)
    const [here, there] = [clone(), clone()].map((folder) => ({ user: 'ada', project: folder }))
    if (!here || !there) throw new Error('two clones were made')
    const said = { type: 'rule', content: 'Dates are stored in UTC', space: web } as const
    const { discovery } = await discoveries.record(here, said)
    expect(await store.find(there, [discovery.id])).toHaveLength(1)
    expect((await store.list(there, all)).total).toBe(1)
    expect(await discoveries.record(there, said)).toMatchObject({ merged: true })
    await database.use((db) =>
      db
        .updateTable('discoveries')
        .set({ project: here.project })
        .where('id', '=', discovery.id)
        .execute(),
    )
    expect(await store.find(here, [discovery.id])).toHaveLength(1)
    expect(await store.find(there, [discovery.id])).toEqual([])
    expect(await discoveries.record(here, said)).toMatchObject({ merged: true })
    expect(await store.find(there, [discovery.id])).toHaveLength(1)
  })

  it('is gone for whoever leaves, even what they said themselves', async () => {
    await spaces.changeMember(bob, 'web', { user: 'bob' })
    expect((await store.list(bob, all)).total).toBe(0)
    expect((await store.list(ada, all)).total).toBe(3)
  })
})

function clone(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.git'))
  const remote = '[remote "origin"]\n\turl = https://git.example.com/team/shop.git\n'
  writeFileSync(join(folder, '.git', 'config'), remote)
  return folder
}
