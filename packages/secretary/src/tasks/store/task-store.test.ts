import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { createTokenStore } from '../../identity/access-tokens.ts'
import type { Database } from '../../storage/database.ts'
import type { TaskState, TaskStore } from '../task.ts'
import { createTaskStore } from './task-store.ts'

const t0 = '2026-01-01T00:00:00.000Z'
const t1 = '2026-01-02T00:00:00.000Z'

describe.each(engines)('the stores on $name', (engine) => {
  let database: Database
  let tasks: TaskStore

  beforeAll(async () => {
    database = await openFresh(engine)
    tasks = createTaskStore(database)
  })
  afterAll(() => database.close())

  it('keep a task as it was given', async () => {
    const added = await tasks.add('ada', { title: 'T', description: 'D', completed: false }, t0)
    expect(added).toEqual({
      id: expect.any(Number),
      title: 'T',
      description: 'D',
      completed: false,
      created_at: t0,
    })
    expect(await tasks.find('ada', added.id)).toEqual(added)
    expect(await tasks.find('bob', added.id)).toBeUndefined()
  })

  it('complete an open task once, also when two ask at the same moment', async () => {
    const { id } = await tasks.add('ada', { title: 'race', completed: false }, t0)
    const both = await Promise.all([tasks.complete('ada', id, t1), tasks.complete('ada', id, t1)])
    expect(both.filter(Boolean)).toHaveLength(1)
  })

  it('lose nothing of what many add to a task at the same moment', async () => {
    const { id } = await tasks.add('ada', { title: 'many', completed: false }, t0)
    const labels = Array.from({ length: 12 }, (_, place) => `label ${place}`)
    await Promise.all(
      labels.map((label) =>
        tasks.update('ada', id, (task) => ({ labels: [...(task.labels ?? []), label] }), t1),
      ),
    )
    const found = await tasks.find('ada', id)
    expect(found?.labels?.toSorted()).toEqual(labels.toSorted())
    expect(await tasks.update('bob', id, () => ({ labels: [] }), t1)).toBeUndefined()
    await expect(
      tasks.update(
        'ada',
        id,
        () => {
          throw new Error('refused')
        },
        t1,
      ),
    ).rejects.toThrow('refused')
    expect(await tasks.find('ada', id)).toEqual(found)
  })

  it('count and page in the order of adding', async () => {
    for (let i = 0; i < 5; i++)
      await tasks.add('pager', { title: `p${i}`, completed: i % 2 === 0 }, t0)
    const page = await tasks.list('pager', { limit: 2, offset: 2 })
    expect(page.total).toBe(5)
    expect(page.tasks.map(({ title }) => title)).toEqual(['p2', 'p3'])
    expect((await tasks.list('pager', { completed: true, limit: 10, offset: 0 })).total).toBe(3)
  })

  it('keep the work on a task, and show nothing that nobody gave', async () => {
    const plain = await tasks.add('work', { title: 'plain', completed: false }, t0)
    expect(Object.keys(plain)).toEqual(['id', 'title', 'description', 'completed', 'created_at'])
    const given = {
      title: 'given 100%_',
      completed: false,
      state: 'doing',
      priority: 'high',
      labels: ['web', 'a"b%'],
      files: ['src/a.ts'],
      project: '/p',
    } as const
    const made = await tasks.add('work', given, t0)
    expect(made).toMatchObject({ state: 'doing', priority: 'high', labels: ['web', 'a"b%'] })
    const found = async (filter: object) =>
      (await tasks.list('work', { limit: 10, offset: 0, ...filter })).tasks.map(({ id }) => id)
    expect(await found({ state: 'doing' })).toEqual([made.id])
    expect(await found({ state: 'open' })).toEqual([plain.id])
    expect(await found({ label: 'a"b%' })).toEqual([made.id])
    expect(await found({ label: 'a' })).toEqual([])
    expect(await found({ project: '/p' })).toEqual([made.id])
    expect(await found({ text: '100%_ GIVEN' })).toEqual([made.id])
    expect(await tasks.facets('work')).toEqual({ labels: ['a"b%', 'web'], projects: ['/p'] })
    expect(await tasks.facets('bob')).toEqual({ labels: [], projects: [] })
    const done = await tasks.update('work', made.id, { completed: true }, t1)
    expect(done).toMatchObject({ completed: true })
    expect(done?.state).toBeUndefined()
    const again = await tasks.update('work', made.id, { state: 'blocked', labels: [] }, t1)
    expect(again).toMatchObject({ completed: false, state: 'blocked' })
    expect(again?.labels).toBeUndefined()
  })

  it('list those in a state, the oldest first, page by page', async () => {
    const add = async (title: string, state: TaskState) =>
      (await tasks.add('stater', { title, completed: state === 'done', state }, t0)).id
    const blocked = [
      await add('a', 'blocked'),
      await add('b', 'blocked'),
      await add('c', 'blocked'),
    ]
    const others = { open: await add('d', 'open'), doing: await add('e', 'doing') }
    const done = await add('f', 'done')
    const ids = async (filter: object) => {
      const page = await tasks.list('stater', { limit: 10, offset: 0, ...filter })
      return [page.tasks.map(({ id }) => id), page.total]
    }
    expect(await ids({ state: 'blocked' })).toEqual([blocked, 3])
    expect(await ids({ state: 'blocked', limit: 1, offset: 1 })).toEqual([[blocked[1]], 3])
    expect(await ids({ state: 'open' })).toEqual([[others.open], 1])
    expect(await ids({ state: 'doing', completed: false })).toEqual([[others.doing], 1])
    expect(await ids({ state: 'done' })).toEqual([[done], 1])
    expect(await ids({ state: 'done', completed: false })).toEqual([[], 0])
    expect(await ids({ state: 'open', completed: true })).toEqual([[], 0])
  })

  it('list in the order that somebody gave them, and the newest first without one', async () => {
    const ids: number[] = []
    for (const title of ['a', 'b', 'c'])
      ids.push((await tasks.add('sorter', { title, completed: false }, t0)).id)
    const order = async () =>
      (await tasks.list('sorter', { sort: 'order', limit: 10, offset: 0 })).tasks.map(
        ({ title }) => title,
      )
    expect(await order()).toEqual(['c', 'b', 'a'])
    const [a = 0, b = 0, c = 0] = ids
    await tasks.update('sorter', a, { position: (-c + -b) / 2 }, t1)
    expect(await order()).toEqual(['c', 'a', 'b'])
  })

  it('find a token by its hash and revoke it once', async () => {
    const tokens = createTokenStore(database)
    const record = {
      id: 't1',
      user: 'ada',
      role: 'operator' as const,
      label: 'laptop',
      createdAt: t0,
      expiresAt: t1,
    }
    await tokens.add({ ...record, hash: 'h' })
    expect(await tokens.findByHash('h')).toEqual(record)
    expect(await tokens.revoke('t1', t1)).toBe(true)
    expect(await tokens.revoke('t1', t1)).toBe(false)
    expect((await tokens.list())[0]?.revokedAt).toBe(t1)
  })
})
