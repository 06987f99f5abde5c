import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../test/support/join-space.ts'
import { Spaces } from '../../spaces/spaces.ts'
import { createSpaceStore } from '../../spaces/store/space-store.ts'
import type { Database } from '../../storage/database.ts'
import type { TaskStore } from '../task.ts'
import { TaskSharing, Tasks } from '../tasks.ts'
import { createTaskStore } from './task-store.ts'

const project = '/p'
const ada = { user: 'ada', project }
const bob = { user: 'bob', project }
const eve = { user: 'eve', project }
const mallory = { user: 'mallory', project }
const operator = { user: 'grace', role: 'operator', project } as const
const all = { limit: 100, offset: 0 }

describe.each(engines)('shared tasks on $name', (engine) => {
  let database: Database
  let store: TaskStore
  let spaces: Spaces
  let tasks: Tasks
  let sharing: TaskSharing
  const addShared = async (space: string, labels: string[] = []) => {
    const at = '2026-01-01T00:00:00.000Z'
    const { id } = await store.add('ada', { title: 'ours', completed: false, labels }, at)
    await sharing.share(ada, id, space)
    return id
  }
  const actions = async (id: number) =>
    (await spaces.audit(ada, 'web', { limit: 500, offset: 0 })).entries
      .filter(({ subject }) => subject.kind === 'task' && subject.id === String(id))
      .map(({ user, action, text }) => [user, action, text])
      .reverse()

  beforeAll(async () => {
    database = await openFresh(engine)
    store = createTaskStore(database)
    spaces = new Spaces(createSpaceStore(database))
    tasks = new Tasks(store)
    sharing = new TaskSharing(store, spaces)
    await spaces.create(ada, 'web')
    await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'member' })
    await changeAndJoin(spaces, ada, 'web', { user: 'eve', role: 'reader' })
  })
  afterAll(() => database.close())

  it('are seen by those who belong to the space, with its name, and counted for them alone', async () => {
    const id = await addShared('web', ['for-web'])
    for (const { user } of [ada, bob, eve]) {
      const { tasks: listed, total } = await tasks.list(user, all)
      expect(listed, user).toMatchObject([{ id, title: 'ours', space: 'web' }])
      expect(total).toBe(1)
      expect((await tasks.list(user, { ...all, text: 'ours' })).total).toBe(1)
      expect((await tasks.list(user, { ...all, limit: 1, offset: 1 })).total).toBe(1)
      expect((await tasks.facets(user)).labels).toEqual(['for-web'])
    }
    expect(await tasks.list('mallory', { ...all, text: 'ours' })).toMatchObject({ total: 0 })
    expect(await tasks.list('mallory', all)).toMatchObject({ tasks: [], total: 0 })
    expect(await tasks.facets('mallory')).toEqual({ labels: [], projects: [] })
    await expect(tasks.require('mallory', id)).rejects.toMatchObject({ errorType: 'not_found' })
    await sharing.takeBack(ada, id)
    expect((await tasks.list('bob', all)).total).toBe(0)
    expect(await tasks.require('ada', id)).not.toHaveProperty('space')
  })

  it('are changed by members, only read by readers, and each change is written down', async () => {
    const id = await addShared('web')
    const refused = { errorType: 'forbidden', message: expect.stringContaining('space web') }
    await expect(tasks.update('eve', id, { title: 'x' })).rejects.toMatchObject(refused)
    await expect(tasks.plan('eve', id, { state: 'doing' })).rejects.toMatchObject(refused)
    await expect(tasks.complete(eve, id)).rejects.toMatchObject(refused)
    await expect(tasks.remove(eve, id)).rejects.toMatchObject(refused)
    await expect(tasks.remove(bob, id)).rejects.toMatchObject(refused)
    await expect(sharing.takeBack(bob, id)).rejects.toMatchObject(refused)
    for (const change of [
      () => tasks.update('mallory', id, { title: 'x' }),
      () => tasks.complete(mallory, id),
      () => tasks.remove(mallory, id),
      () => sharing.share(mallory, id, 'everybody'),
      () => sharing.takeBack(mallory, id),
    ])
      await expect(change()).rejects.toMatchObject({ errorType: 'not_found' })
    const { value } = await tasks.update('bob', id, { title: 'Ours too' })
    expect(value?.task).toMatchObject({ title: 'Ours too', space: 'web' })
    await tasks.complete(bob, id)
    await expect(tasks.complete(ada, id)).rejects.toMatchObject({ errorType: 'already_completed' })
    expect(await actions(id)).toEqual([
      ['ada', 'share', ''],
      ['bob', 'update', 'title'],
      ['bob', 'complete', ''],
    ])
    await tasks.remove(ada, id)
    expect((await actions(id)).at(-1)).toEqual(['ada', 'delete', ''])
  })

  it('are shared by their owner alone, with a space in which they are a member', async () => {
    const id = await addShared('web')
    await expect(sharing.share(bob, id, 'everybody')).rejects.toMatchObject({
      errorType: 'forbidden',
    })
    const own = await store.add('eve', { title: 'hers', completed: false }, 'now')
    await expect(sharing.share(eve, own.id, 'web')).rejects.toMatchObject({
      errorType: 'forbidden',
    })
    await expect(sharing.share(mallory, own.id, 'web')).rejects.toMatchObject({
      errorType: 'not_found',
    })
    expect(await sharing.share(ada, id, 'everybody')).toMatchObject({ space: 'everybody' })
    expect((await actions(id)).at(-1)).toEqual(['ada', 'unshare', ''])
    expect((await tasks.list('mallory', all)).tasks).toMatchObject([{ id, space: 'everybody' }])
    await expect(tasks.remove(bob, id)).rejects.toMatchObject({ errorType: 'forbidden' })
    await tasks.remove(operator, id)
    await expect(tasks.require('ada', id)).rejects.toMatchObject({ errorType: 'not_found' })
  })

  it('are gone for whoever leaves, and stay their owner’s', async () => {
    const id = await addShared('web')
    await spaces.changeMember(ada, 'web', { user: 'bob' })
    await expect(tasks.complete(bob, id)).rejects.toMatchObject({ errorType: 'not_found' })
    await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'operator' })
    await spaces.changeMember(bob, 'web', { user: 'ada' })
    expect(await tasks.require('ada', id)).toMatchObject({ space: 'web' })
    await sharing.takeBack(ada, id)
    await expect(tasks.require('bob', id)).rejects.toMatchObject({ errorType: 'not_found' })
  })
})
