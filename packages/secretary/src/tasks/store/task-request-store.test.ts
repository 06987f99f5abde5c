import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import type { Database } from '../../storage/database.ts'
import type { TaskStore } from '../task.ts'
import { createTaskRequestStore, createTaskStore } from './task-store.ts'

const t0 = '2026-01-01T00:00:00.000Z'

describe.each(engines)('requests that tasks came from, on $name', (engine) => {
  let database: Database
  let tasks: TaskStore
  let requests: ReturnType<typeof createTaskRequestStore>
  const all = { limit: 100 }

  beforeAll(async () => {
    database = await openFresh(engine)
    tasks = createTaskStore(database)
    requests = createTaskRequestStore(database)
  })
  afterAll(() => database.close())

  it('are found from the task and from the dialog, and can be changed', async () => {
    const { id } = await tasks.add('ada', { title: 'Linked', completed: false }, t0)
    expect(await requests.link('ada', id, 'abc', 3)).toBe(true)
    expect(await requests.link('ada', id, "x'; drop table tasks; --", 4)).toBe(true)
    expect(await requests.list('ada', { ...all, sessionId: 'abc' })).toEqual([])
    expect(await requests.list('ada', { ...all, sessionId: "x'; drop table tasks; --" })).toEqual([
      {
        task_id: id,
        session_id: "x'; drop table tasks; --",
        request_index: 4,
        title: 'Linked',
        completed: false,
      },
    ])
    expect(await requests.unlink('ada', id)).toBe(true)
    expect(await requests.unlink('ada', id)).toBe(false)
  })

  it('belong to the task’s user alone, and go with the task', async () => {
    const { id } = await tasks.add('ada', { title: 'Mine', completed: true }, t0)
    expect(await requests.link('bob', id, 'abc', 1)).toBe(false)
    await requests.link('ada', id, 'abc', 1)
    expect(await requests.list('bob', all)).toEqual([])
    expect(await requests.unlink('bob', id)).toBe(false)
    await tasks.remove('ada', id, '2026-01-01T00:00:00.000Z', false)
    expect(await requests.list('ada', all)).toEqual([])
    expect(await requests.link('ada', 999_999, 'abc', 1)).toBe(false)
  })
})
