import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { Discoveries } from '../../context/discoveries/discoveries.ts'
import { createDiscoveryStore } from '../../context/store/discovery-store.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { carriedDiscoveries } from './carried-discoveries.ts'
import { carriedTasks } from './carried-tasks.ts'
import { databaseId, databaseTransport } from './database-transport.ts'

const now = '2026-03-01T00:00:00.000Z'

function clone(url = 'https://git.example.com/acme/shop.git'): string {
  const folder = temporaryFolder()
  execFileSync('git', ['init', '--quiet', folder])
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', url])
  return folder
}

describe.each(engines)('what sync stores and reads in $name', async (engine) => {
  const database = await openFresh(engine)
  const other = await openFresh(engine)
  afterAll(() => Promise.all([database.close(), other.close()]))

  it('gives a user’s segments to that user alone', async () => {
    const [ada, bob] = ['ada', 'bob'].map((user) => databaseTransport(database, user))
    const name = { machine: '0123456789abcdef', generation: 1, sequence: 1 }
    await ada?.write(name, new Uint8Array([0, 1, 255]))
    expect(await ada?.list()).toEqual([name])
    expect([...((await ada?.read(name)) ?? [])]).toEqual([0, 1, 255])
    expect([await bob?.list(), await bob?.read(name)]).toEqual([[], undefined])
    await bob?.remove([name])
    await expect(ada?.write(name, new Uint8Array())).rejects.toThrow()
    await ada?.remove([name])
    expect(await ada?.list()).toEqual([])
  })

  it('moves a task with all that it says, once, and only its owner’s', async () => {
    const tasks = createTaskStore(database)
    const task = { title: 'one', completed: false, labels: ['a'], priority: 'high' } as const
    const { id } = await tasks.add('ada', { ...task, project: clone() }, now)
    await tasks.add('bob', { title: 'his', completed: false }, now)
    const [row, ...rest] = await carriedTasks(database, 'ada', 'm1').rows()
    expect([row?.id, rest]).toEqual([`m1/${id}`, []])
    const there = carriedTasks(other, 'ada', 'm2')
    const local = await there.add(row?.id ?? '', row?.values ?? {})
    expect(await there.add(row?.id ?? '', row?.values ?? {})).toBe(local)
    expect(await there.rows()).toMatchObject([{ id: row?.id, local, values: row?.values }])
    const listed = { project: clone(), limit: 10, offset: 0 }
    expect((await createTaskStore(other).list('ada', listed)).tasks).toMatchObject([
      { title: 'one', labels: ['a'], priority: 'high', project: 'git.example.com/acme/shop' },
    ])
  })

  it('does not overwrite a task that was edited meanwhile', async () => {
    const tasks = createTaskStore(database)
    const { id } = await tasks.add('cyd', { title: 'one', completed: false }, now)
    const carrier = carriedTasks(database, 'cyd', 'm1')
    const [row] = await carrier.rows()
    if (!row) throw new Error('no row')
    await tasks.update('cyd', id, { title: 'mine' }, '2026-03-02T00:00:00.000Z')
    expect(await carrier.change(row, { ...row.values, title: 'theirs' })).toBe(false)
    const again = await carrier.find(row.local)
    if (!again) throw new Error('no row')
    expect(await carrier.change(again, { ...again.values, title: 'theirs' })).toBe(true)
    expect((await tasks.find('cyd', id))?.title).toBe('theirs')
    await carrier.remove?.(row.local)
    expect(await carrier.rows()).toEqual([])
  })

  it('finds what was recorded in one clone in another, and what was stored by folder before', async () => {
    const [here, there] = [clone(), clone('git@git.example.com:acme/shop.git')]
    const store = createDiscoveryStore(database)
    const content = 'Prices are kept in cents'
    await new Discoveries(store).record({ user: 'dan', project: here }, { type: 'rule', content })
    await database.use((db) =>
      db
        .insertInto('discoveries')
        .values({
          ...{ id: 'old', user_id: 'dan', project: there, type: 'rule', content: 'Old as stone' },
          ...{ origin: 'recorded', confidence: 1, created_at: now, files: '[]' },
        })
        .execute(),
    )
    const total = async (project: string, user = 'dan') =>
      (await store.list({ user, project }, { limit: 10 })).total
    expect([await total(here), await total(there)]).toEqual([1, 2])
    expect([
      await total(clone('git@git.example.com:acme/b.git')),
      await total(here, 'eve'),
    ]).toEqual([0, 0])
  })

  it('moves what was recorded, once, also where both had learned it', async () => {
    const project = clone()
    const record = (at: typeof database, content: string) =>
      new Discoveries(createDiscoveryStore(at)).record(
        { user: 'fay', project },
        { type: 'rule', content },
      )
    await record(database, 'Parcels are weighed twice')
    await record(database, 'Stamps are blue')
    await record(other, 'The stamps are blue')
    const there = carriedDiscoveries(other, 'fay')
    const rows = await carriedDiscoveries(database, 'fay').rows()
    for (const row of [...rows, ...rows]) await there.add(row.id, row.values)
    const owner = { user: 'fay', project: clone() }
    const { discoveries } = await createDiscoveryStore(other).list(owner, { limit: 10 })
    expect(discoveries.map(({ content }) => content).sort()).toEqual([
      'Parcels are weighed twice',
      'The stamps are blue',
    ])
  })

  it('knows one database from another', async () => {
    expect(await databaseId(database)).toBe(await databaseId(database))
    expect(await databaseId(database)).not.toBe(await databaseId(other))
  })
})
