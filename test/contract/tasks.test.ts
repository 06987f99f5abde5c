import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from '../support/mcp-client.ts'
import { setups } from '../support/setups.ts'

interface TaskBody {
  success: boolean
  error?: string
  data: {
    task: Record<string, unknown>
    tasks: Record<string, unknown>[]
    total: number
    limit: number
    offset: number
    message: string
    deleted_task_id: number
  }
}

for (const { name, connect, engine } of setups) {
  describe(`tasks over ${name}`, () => {
    let ada: Connection
    const call = async (tool: string, args?: Record<string, unknown>) =>
      (await ada.call<TaskBody>(tool, args)).body
    const attempt = async (tool: string, args?: Record<string, unknown>) =>
      (await ada.attempt<TaskBody>(tool, args)).body

    beforeAll(async () => {
      ada = await connect({ env: await engine.fresh() })
    })
    afterAll(() => ada.close())

    const add = async (title: string) => (await call('add_task', { title })).data.task.id as number

    it('T1 answers in the envelope {success, data} and {success, error}', async () => {
      expect(Object.keys(await call('list_tasks')).sort()).toEqual(['data', 'success'])
      expect(await attempt('complete_task', { task_id: 9999 })).toEqual({
        success: false,
        error: 'Task not found',
      })
    })

    it('T2 adds a task and gives it back whole', async () => {
      const { data } = await call('add_task', {
        title: 'Buy groceries',
        description: 'milk, eggs',
      })
      expect(data.task).toMatchObject({
        title: 'Buy groceries',
        description: 'milk, eggs',
        completed: false,
      })
      expect(data.task.id).toBeTypeOf('number')
      expect(new Date(String(data.task.created_at)).getTime()).toBeGreaterThan(Date.now() - 60_000)
    })

    it.each([
      ['no title', {}, 'title is required'],
      ['an empty title', { title: '' }, 'Title must not be empty'],
      [
        'a title of 201 characters',
        { title: 'x'.repeat(201) },
        'Title must be at most 200 characters',
      ],
      [
        'a description of 1001 characters',
        { title: 'x', description: 'x'.repeat(1001) },
        'Description must be at most 1000 characters',
      ],
      ['a number as title', { title: 5 }, 'title must be a string'],
      ['an unknown argument', { title: 'x', priority: 'high' }, 'Unknown argument: priority'],
      ['a NUL character', { title: 'a\0b' }, /NUL/],
    ])('T2 T7 refuses %s in its own shape and adds nothing', async (_name, args, error) => {
      const before = (await call('list_tasks')).data.total
      const { body, result } = await ada.attempt('add_task', args)
      expect(body).toMatchObject({
        success: false,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
      })
      expect(result.isError).toBe(true)
      expect((await call('list_tasks')).data.total).toBe(before)
    })

    it('T2 takes a title of exactly 200 characters and keeps every script and sign', async () => {
      const title = '猫🐈 <b>"DROP TABLE tasks;--'.padEnd(200, 'é')
      expect((await call('add_task', { title })).data.task.title).toBe(title)
    })

    it('T3 lists by status, with total, limit and offset', async () => {
      const id = await add('to be listed')
      await call('complete_task', { task_id: id })
      const done = await call('list_tasks', { completed: true })
      expect(done.data.tasks.every((task) => task.completed)).toBe(true)
      expect(done.data.tasks.map((task) => task.id)).toContain(id)
      const page = await call('list_tasks', { limit: 1, offset: 1 })
      expect(page.data).toMatchObject({ limit: 1, offset: 1 })
      expect(page.data.tasks).toHaveLength(1)
      expect(page.data.total).toBeGreaterThan(1)
      expect((await call('list_tasks')).data.limit).toBe(100)
    })

    it('T3 gives only the fields that were asked for, and all of them by default', async () => {
      const id = await add('in short')
      const { data } = await call('list_tasks', { fields: ['id', 'title'] })
      expect(data.tasks).toContainEqual({ id, title: 'in short' })
      const whole = await call('list_tasks')
      expect(whole.data.tasks.find((task) => task.id === id)).toMatchObject({
        description: null,
        completed: false,
        created_at: expect.any(String),
      })
    })

    it('T3 gives only the tasks in a state that was asked for', async () => {
      const states = ['open', 'doing', 'blocked', 'done'] as const
      const ids = await Promise.all(states.map((state) => add(`in state ${state}`)))
      for (const [place, state] of states.entries())
        await call('plan_task', { task_id: ids[place], state })
      for (const [place, state] of states.entries()) {
        const { tasks } = (await call('list_tasks', { state })).data
        const found = tasks.map(({ id }) => id).filter((id) => ids.includes(id as number))
        expect(found, state).toEqual([ids[place]])
      }
      const { total } = (await call('list_tasks', { state: 'done', completed: false })).data
      expect(total).toBe(0)
    })

    it.each([
      { limit: 0 },
      { limit: 101 },
      { offset: -1 },
      { limit: 1.5 },
      { fields: ['secret'] },
      { state: 'later' },
      { state: '' },
    ])('T3 refuses %j', async (args) => {
      expect((await attempt('list_tasks', args)).success).toBe(false)
    })

    it('plan_task says how far a task is, how it ranks and what it is about', async () => {
      const id = await add('Planned')
      const plan = { state: 'doing', priority: 'high', labels: ['auth'], files: ['src/login.ts'] }
      const planned = (await call('plan_task', { task_id: id, ...plan })).data.task
      expect(planned).toMatchObject({ id, title: 'Planned', completed: false, ...plan })
      expect((await call('list_tasks')).data.tasks).toContainEqual(planned)
      const changed = { state: 'done', priority: 'normal', labels: [] }
      const later = (await call('plan_task', { task_id: id, ...changed })).data.task
      expect(later).toMatchObject({ completed: true, files: ['src/login.ts'] })
      for (const gone of ['state', 'priority', 'labels']) expect(later).not.toHaveProperty(gone)
    })

    it('plan_task adds to lists and removes from them, and keeps what others add meanwhile', async () => {
      const id = await add('Listed')
      await Promise.all(
        ['a', 'b', 'c'].map((label) =>
          call('plan_task', { task_id: id, labels: [label], files: [`${label}.ts`], lists: 'add' }),
        ),
      )
      await call('plan_task', { task_id: id, labels: ['b', 'unknown'], lists: 'remove' })
      const task = (await call('list_tasks')).data.tasks.find((one) => one.id === id)
      expect(new Set(task?.labels as string[])).toEqual(new Set(['a', 'c']))
      expect(new Set(task?.files as string[])).toEqual(new Set(['a.ts', 'b.ts', 'c.ts']))
      expect((await attempt('plan_task', { task_id: id, lists: 'add' })).success).toBe(false)
    })

    it.each([{}, { state: 'later' }, { priority: 'urgent' }, { labels: 'auth' }, { files: [''] }])(
      'plan_task refuses %j and changes nothing',
      async (plan) => {
        const id = await add('Unplanned')
        expect((await attempt('plan_task', { task_id: id, ...plan })).success).toBe(false)
        const { tasks } = (await call('list_tasks')).data
        expect(tasks.find((task) => task.id === id)).not.toHaveProperty('updated_at')
      },
    )

    it('plan_task answers as the others do where there is no such task', async () => {
      expect(await attempt('plan_task', { task_id: 9999, state: 'doing' })).toEqual({
        success: false,
        error: 'Task not found',
      })
    })

    it('T4 completes once, says so, and refuses the second time', async () => {
      const id = await add('Write tests')
      const { data } = await call('complete_task', { task_id: id })
      expect(data.message).toBe("Task 'Write tests' marked as complete")
      expect(data.task).toMatchObject({ id, completed: true, updated_at: expect.any(String) })
      expect(await attempt('complete_task', { task_id: id })).toEqual({
        success: false,
        error: 'Task already completed',
      })
    })

    it('T4 tells beside the answer, never in it, what is still open', async () => {
      await add('Left over')
      const { body, result } = await ada.call('complete_task', { task_id: await add('Finished') })
      expect(Object.keys(body)).toEqual(['success', 'data'])
      expect(result.structuredContent).toEqual(body)
      expect(result.content[1]).toMatchObject({
        text: expect.stringMatching(
          /^Reminder: \d+ tasks? (is|are) still open; the oldest is \d+: /,
        ),
      })
    })

    it('T5 deletes for good', async () => {
      const id = await add('Short-lived')
      expect((await call('delete_task', { task_id: id })).data).toEqual({
        deleted_task_id: id,
        message: 'Task deleted successfully',
      })
      expect(await attempt('delete_task', { task_id: id })).toEqual({
        success: false,
        error: 'Task not found',
      })
    })

    it('T6 changes only what is given, and asks for at least one field', async () => {
      const id = await add('Before')
      const { data } = await call('update_task', { task_id: id, title: 'After', completed: true })
      expect(data.message).toBe('Task updated successfully')
      expect(data.task).toMatchObject({
        id,
        title: 'After',
        completed: true,
        updated_at: expect.any(String),
      })
      expect(
        (await call('update_task', { task_id: id, completed: false })).data.task,
      ).toMatchObject({
        title: 'After',
        completed: false,
      })
      expect(await attempt('update_task', { task_id: id })).toEqual({
        success: false,
        error: 'Give at least one of title, description, completed',
      })
    })

    it.each([
      { task_id: 0 },
      { task_id: -1 },
      { task_id: 'x' },
      { task_id: 1.5 },
      {},
      { task_id: null },
    ])('T7 refuses the id in %j without a trace of the inside', async (args) => {
      const { success, error } = await attempt('complete_task', args)
      expect(success).toBe(false)
      expect(error).not.toMatch(/sql|stack|at .*\.ts|kysely|postgres/i)
    })

    it('T7 answers a five-megabyte argument in its own shape and lives on', async () => {
      expect(await attempt('add_task', { title: 'x'.repeat(5_000_000) })).toEqual({
        success: false,
        error: 'Title must be at most 200 characters',
      })
      expect((await call('list_tasks')).success).toBe(true)
    })
  })

  it(`T1 users on ${engine.name} see only their own tasks, whatever id they send`, async () => {
    const env = await engine.fresh()
    const ada = await connect({ env: { ...env, SECRETARY_USER: 'ada' } })
    const bob = await connect({ env: { ...env, SECRETARY_USER: 'bob' } })
    const task_id = (
      (await ada.call('add_task', { title: 'secret of Ada' })).body.data as TaskBody['data']
    ).task.id
    expect((await bob.call('list_tasks')).body).toMatchObject({ data: { tasks: [], total: 0 } })
    for (const [tool, args] of [
      ['complete_task', {}],
      ['update_task', { title: 'mine' }],
      ['delete_task', {}],
    ] as const) {
      expect((await bob.attempt(tool, { task_id, ...args })).body).toEqual({
        success: false,
        error: 'Task not found',
      })
    }
    expect((await ada.call('list_tasks')).body).toMatchObject({
      data: { total: 1, tasks: [{ title: 'secret of Ada', completed: false }] },
    })
    await Promise.all([ada.close(), bob.close()])
  })
}
