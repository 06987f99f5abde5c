import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../test/support/join-space.ts'
import { createSpaceDocumentStore, DocumentSharing } from '../guide/document-sharing.ts'
import { FlagService } from '../guide/flags.ts'
import { createGuideStore } from '../guide/store/guide-store.ts'
import { Spaces } from '../spaces/spaces.ts'
import { createSpaceStore } from '../spaces/store/space-store.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'
import { Tasks } from '../tasks/tasks.ts'
import type { Database } from './database.ts'

const ada = { user: 'ada', project: '/p', role: 'operator' } as const
const bob = { user: 'bob', project: '/p', role: 'member' } as const
const changed = { errorType: 'changed_meanwhile' }
const MANY = 12

/** How many of these came through; the others were told that somebody was quicker. */
async function through(all: readonly Promise<unknown>[]): Promise<number> {
  const ended = await Promise.allSettled(all)
  for (const one of ended) if (one.status === 'rejected') expect(one.reason).toMatchObject(changed)
  return ended.filter(({ status }) => status === 'fulfilled').length
}

describe.each(engines)('of many who change what they saw, one does, on $name', (engine) => {
  let database: Database
  let spaces: Spaces
  let flags: FlagService
  let tasks: Tasks
  let documents: DocumentSharing
  const places = Array.from({ length: MANY }, (_, place) => place)
  const flagNow = async (name: string) => (await flags.getProject(ada, name)).value?.value

  beforeAll(async () => {
    database = await openFresh(engine)
    spaces = new Spaces(createSpaceStore(database))
    flags = new FlagService(createGuideStore(database))
    tasks = new Tasks(createTaskStore(database))
    documents = new DocumentSharing({
      store: createSpaceDocumentStore(database),
      spaces,
      source: async (_caller, path) => ({ path, layer: 'user', text: 'text' }),
      changed() {},
    })
    await spaces.create(ada, 'web')
  })
  afterAll(() => database.close())

  it('a flag that was not set', async () => {
    const set = (place: number) =>
      flags.changeProject(ada, 'new', { before: null, after: `value ${place}` })
    expect(await through(places.map(set))).toBe(1)
    expect(await flagNow('new')).toMatch(/^value \d+$/)
  })

  it('a flag of any kind, whose value of all projects may be what was seen', async () => {
    await flags.setGlobal('kind', { a: 'b', c: ['d'] })
    const before = { a: 'b', c: ['d'] }
    const set = (place: number) =>
      flags.changeProject(ada, 'kind', { before, after: [`value ${place}`] })
    expect(await through(places.map(set))).toBe(1)
    const own = (await flagNow('kind')) as string[]
    const removing = places.map(() =>
      flags.changeProject(ada, 'kind', { before: own, after: null }),
    )
    expect(await through(removing)).toBe(1)
    expect(await flagNow('kind')).toEqual(before)
    await expect(
      flags.changeProject(ada, 'kind', { before: true, after: false }),
    ).rejects.toMatchObject({ ...changed, data: { value: before } })
  })

  it('a role, and one who was added already keeps theirs', async () => {
    const give = (role: 'reader' | 'operator', before: 'member' | null) =>
      spaces.changeMember(ada, 'web', { user: 'bob', role, before })
    await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'member', before: null })
    await expect(give('reader', null)).rejects.toMatchObject(changed)
    await give('operator', 'member')
    await expect(give('reader', 'member')).rejects.toMatchObject(changed)
    // Who wants what somebody else has just done has it.
    await give('operator', 'member')
    await expect(
      spaces.changeMember(ada, 'web', { user: 'bob', before: 'member' }),
    ).rejects.toMatchObject(changed)
    expect(await spaces.members(ada, 'web')).toContainEqual({ user: 'bob', role: 'operator' })
  })

  it('the name of a space', async () => {
    const { id } = await spaces.create(ada, 'first')
    const rename = (place: number) => spaces.rename(ada, id, `name ${place}`, 'first')
    expect(await through(places.map(rename))).toBe(1)
    const log = await spaces.audit(ada, id, { limit: 9, offset: 0 })
    expect(log.entries.filter(({ action }) => action === 'rename')).toHaveLength(1)
  })

  it('a copy of a document in a space', async () => {
    const none = { updatedAt: null }
    expect(await through(places.map(() => documents.share(ada, 'gates.md', 'web', none)))).toBe(1)
    const [first] = await documents.list(ada, 'web')
    if (!first) throw new Error('not shared')
    // The next one has a time of its own.
    await expect.poll(() => new Date().toISOString()).not.toBe(first.updatedAt)
    await documents.share(ada, 'gates.md', 'web', first)
    await expect(documents.share(ada, 'gates.md', 'web', first)).rejects.toMatchObject(changed)
    await expect(documents.unshare(ada, 'gates.md', 'web', first)).rejects.toMatchObject(changed)
    const [second] = await documents.list(ada, 'web')
    await documents.unshare(ada, 'gates.md', 'web', second)
    expect(await documents.list(ada, 'web')).toEqual([])
  })

  it('a task that is deleted, also a shared one', async () => {
    const store = createTaskStore(database)
    for (const space of [undefined, (await spaces.require(ada, 'web', 'read')).id]) {
      const { id } = await store.add('ada', { title: 'one', completed: false }, '2026-01-01')
      if (space) await store.share('ada', id, space, '2026-01-01')
      const { updated_at = null } = await tasks.require('ada', id)
      await tasks.update('ada', id, { title: 'two' })
      await expect(tasks.remove(ada, id, { updatedAt: updated_at })).rejects.toMatchObject(changed)
      const seen = await tasks.require('ada', id)
      await tasks.remove(ada, id, { updatedAt: seen.updated_at ?? null })
      await expect(tasks.remove(bob, id, { updatedAt: null })).rejects.toMatchObject({
        errorType: 'not_found',
      })
    }
  })
})
