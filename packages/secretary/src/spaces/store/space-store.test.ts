import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../test/support/join-space.ts'
import { publishedClone } from '../../../../../test/support/published-clone.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { Database } from '../../storage/database.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { TaskSharing } from '../../tasks/tasks.ts'
import { Spaces } from '../spaces.ts'
import { createSpaceStore } from './space-store.ts'

const ada = { user: 'ada' }
const bob = { user: 'bob' }
const page = { limit: 50, offset: 0 }

describe.each(engines)('spaces on $name', (engine) => {
  let database: Database
  let spaces: Spaces

  beforeAll(async () => {
    database = await openFresh(engine)
    spaces = new Spaces(createSpaceStore(database))
  })
  afterAll(() => database.close())

  it('belong to whoever created them, and to nobody else', async () => {
    const web = await spaces.create(ada, 'web', '/web')
    expect(web).toMatchObject({ name: 'web', project: '/web', createdBy: 'ada', role: 'operator' })
    expect((await spaces.list(ada)).map(({ name }) => name)).toEqual(['everybody', 'web'])
    expect((await spaces.list(bob)).map(({ name }) => name)).toEqual(['everybody'])
    await expect(spaces.create(bob, 'web')).rejects.toMatchObject({ errorType: 'already_exists' })
    for (const named of ['web', web.id])
      for (const ask of [
        () => spaces.members(bob, named),
        () => spaces.audit(bob, named, page),
        () => spaces.changeMember(bob, named, { user: 'bob', role: 'operator' }),
      ])
        await expect(ask()).rejects.toMatchObject({ errorType: 'not_found' })
    expect(await spaces.readableSpaces(ada)).toContain(web.id)
  })

  it('of a project’s team take nothing of another project, and are read all the same', async () => {
    const [shop, other] = [temporaryFolder(), temporaryFolder()]
    const clone = join(temporaryFolder(), 'clone')
    for (const folder of [shop, clone]) publishedClone(folder, {})
    const made = await spaces.create(ada, 'shop', join(shop, 'api'))
    expect(made.project).toMatch(/^[\w.-]+\/.*\/api$/)
    const may = (project: string) => spaces.require({ ...ada, project }, 'shop', 'contribute')
    expect((await may(join(clone, 'api'))).id).toBe(made.id)
    expect((await may(join(clone, 'api', 'v1'))).id).toBe(made.id)
    for (const folder of [other, clone, join(clone, 'api-old')])
      await expect(may(folder)).rejects.toMatchObject({ errorType: 'forbidden' })
    const reading = spaces.require({ ...ada, project: other }, 'shop', 'read')
    expect((await reading).id).toBe(made.id)
  })

  it('write down every change, and only what changed', async () => {
    await spaces.create(ada, 'log')
    await changeAndJoin(spaces, ada, 'log', { user: 'bob', role: 'reader' })
    await changeAndJoin(spaces, ada, 'log', { user: 'bob', role: 'reader' })
    await changeAndJoin(spaces, ada, 'log', { user: 'bob', role: 'member' })
    await expect(
      spaces.changeMember(bob, 'log', { user: 'eve', role: 'reader' }),
    ).rejects.toMatchObject({ errorType: 'forbidden' })
    await spaces.changeMember(bob, 'log', { user: 'bob' })
    const { entries, total } = await spaces.audit(ada, 'log', page)
    expect(total).toBe(5)
    expect(
      entries.map(({ user, action, subject, text }) => [user, action, subject.id, text]),
    ).toEqual([
      ['bob', 'remove', 'bob', 'member'],
      ['ada', 'role', 'bob', 'reader → member'],
      ['bob', 'join', 'bob', 'reader'],
      ['ada', 'invite', 'bob', 'reader'],
      ['ada', 'create', expect.any(String), 'log'],
    ])
    expect(await spaces.members(ada, 'log')).toEqual([{ user: 'ada', role: 'operator' }])
  })

  it('are renamed by their operators, to a name that nobody has', async () => {
    const { id } = await spaces.create(ada, 'old name')
    await spaces.create(ada, 'other name')
    await changeAndJoin(spaces, ada, 'old name', { user: 'bob', role: 'member' })
    await expect(spaces.rename(bob, 'old name', 'mine')).rejects.toMatchObject({
      errorType: 'forbidden',
    })
    await expect(spaces.rename(ada, 'old name', 'other name')).rejects.toMatchObject({
      errorType: 'already_exists',
    })
    expect(await spaces.rename(ada, 'old name', 'new name')).toMatchObject({ id, name: 'new name' })
    expect((await spaces.list(bob)).map(({ name }) => name)).toContain('new name')
    const { entries } = await spaces.audit(ada, id, page)
    expect(entries[0]).toMatchObject({ action: 'rename', text: 'old name → new name' })
  })

  it('are deleted by their operators: tasks go back to their owners, the rest is gone', async () => {
    const { id } = await spaces.create(ada, 'doomed')
    await changeAndJoin(spaces, ada, id, { user: 'bob', role: 'member' })
    const tasks = createTaskStore(database)
    const { id: task } = await tasks.add(
      'bob',
      { title: 'Paint the gate', completed: false },
      '2026-01-01T00:00:00Z',
    )
    await new TaskSharing(tasks, spaces).share({ ...bob, project: '/web' }, task, id)
    expect((await tasks.list('ada', page)).tasks.map(({ title }) => title)).toContain(
      'Paint the gate',
    )
    await expect(spaces.remove(bob, id)).rejects.toMatchObject({ errorType: 'forbidden' })
    await expect(spaces.remove(ada, 'everybody')).rejects.toMatchObject({ errorType: 'forbidden' })
    await spaces.remove(ada, id)
    expect((await spaces.list(bob)).map(({ name }) => name)).not.toContain('doomed')
    expect((await tasks.list('ada', page)).tasks).toEqual([])
    expect((await tasks.list('bob', page)).tasks).toMatchObject([{ title: 'Paint the gate' }])
    expect(await spaces.create(bob, 'doomed')).toMatchObject({ role: 'operator' })
  })

  it('keep an operator, however many leave at the same moment', async () => {
    await spaces.create(ada, 'kept')
    await changeAndJoin(spaces, ada, 'kept', { user: 'bob', role: 'operator' })
    const left = await Promise.allSettled([
      spaces.changeMember(ada, 'kept', { user: 'ada' }),
      spaces.changeMember(bob, 'kept', { user: 'bob' }),
    ])
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(left.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { errorType: 'last_operator' },
    })
  })

  it('have one for everybody, which nobody joins or leaves', async () => {
    expect(await spaces.require(bob, 'everybody', 'contribute')).toMatchObject({ role: 'member' })
    await expect(spaces.require(bob, 'everybody', 'manage')).rejects.toMatchObject({
      errorType: 'forbidden',
    })
    const operator = { user: 'grace', role: 'operator' } as const
    expect(await spaces.require(operator, 'everybody', 'manage')).toMatchObject({
      role: 'operator',
    })
    await expect(
      spaces.changeMember(operator, 'everybody', { user: 'bob', role: 'reader' }),
    ).rejects.toMatchObject({ errorType: 'forbidden' })
    expect(await spaces.members(bob, 'everybody')).toEqual([])
  })

  it('are not mistaken for one that is named like the id of another', async () => {
    const real = await spaces.create(ada, 'real')
    const trap = await spaces.create({ user: 'mallory' }, real.id)
    await changeAndJoin(spaces, { user: 'mallory' }, trap.id, { user: 'ada', role: 'member' })
    expect(await spaces.require(ada, real.id, 'contribute')).toMatchObject({ name: 'real' })
  })
})
