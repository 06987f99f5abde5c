import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../test/support/engines.ts'
import type { TaskStore } from '../../tasks/task-store.ts'
import type { Database } from '../database.ts'
import { createMetricsStore } from './metrics-store.ts'
import { createTaskStore } from './task-store.ts'
import { createTokenStore } from './token-store.ts'

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

  it('count and page in the order of adding', async () => {
    for (let i = 0; i < 5; i++)
      await tasks.add('pager', { title: `p${i}`, completed: i % 2 === 0 }, t0)
    const page = await tasks.list('pager', { limit: 2, offset: 2 })
    expect(page.total).toBe(5)
    expect(page.tasks.map(({ title }) => title)).toEqual(['p2', 'p3'])
    expect((await tasks.list('pager', { completed: true, limit: 10, offset: 0 })).total).toBe(3)
  })

  it('add up the tallies of many processes', async () => {
    const metrics = createMetricsStore(database, 'one')
    const other = createMetricsStore(database, 'other')
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n < 7 ? metrics : other).add([
          { tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', count: 3 },
        ]),
      ),
    )
    expect(await metrics.since('2026-01-01T00')).toEqual([
      { tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', replica: 'one', count: 21 },
      { tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', replica: 'other', count: 9 },
    ])
    expect(await metrics.since('2026-01-01T00', { replica: 'other' })).toHaveLength(1)
    expect(await metrics.since('2026-01-01T00', { user: 'bob' })).toEqual([])
    expect(await metrics.since('2026-01-01T01')).toEqual([])
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
