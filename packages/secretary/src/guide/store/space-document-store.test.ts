import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../test/support/join-space.ts'
import { Spaces } from '../../spaces/spaces.ts'
import { createSpaceStore } from '../../spaces/store/space-store.ts'
import type { Database } from '../../storage/database.ts'
import { createSpaceDocumentStore, DocumentSharing } from '../document-sharing.ts'

const ada = { user: 'ada', project: '/p' }
const bob = { user: 'bob', project: '/p' }
const eve = { user: 'eve', project: '/p' }
const key = `sk-ant-${'a1B2'.repeat(8)}`

describe.each(engines)('documents of spaces on $name', (engine) => {
  let database: Database
  let spaces: Spaces
  let documents: DocumentSharing
  let text: string
  const pathsFor = async (user: string) =>
    (await createSpaceDocumentStore(database).readable(user)).map(({ path }) => path)

  beforeAll(async () => {
    database = await openFresh(engine)
    spaces = new Spaces(createSpaceStore(database))
    documents = new DocumentSharing({
      store: createSpaceDocumentStore(database),
      spaces,
      source: async (_caller, path) =>
        path === 'none.md' ? undefined : { path, layer: 'user', text },
      changed() {},
    })
    await spaces.create(ada, 'web')
    await changeAndJoin(spaces, ada, 'web', { user: 'bob', role: 'member' })
    await changeAndJoin(spaces, ada, 'web', { user: 'rose', role: 'reader' })
  })
  afterAll(() => database.close())

  it('are read by whoever belongs to the space, and by nobody else', async () => {
    text = `# Gates\n\nPaint them green, not ${key}.\n`
    await documents.share(bob, 'gates.md', 'web')
    expect(await pathsFor('ada')).toEqual(['gates.md'])
    expect(await pathsFor('rose')).toEqual(['gates.md'])
    expect(await pathsFor('eve')).toEqual([])
    await expect(documents.list(eve, 'web')).rejects.toMatchObject({ errorType: 'not_found' })
    await expect(documents.share(eve, 'gates.md', 'web')).rejects.toMatchObject({
      errorType: 'not_found',
    })
    await expect(
      documents.share({ ...eve, user: 'rose' }, 'gates.md', 'web'),
    ).rejects.toMatchObject({ errorType: 'forbidden' })
  })

  it('have no secrets in them, and change when they are shared again', async () => {
    const [before] = await createSpaceDocumentStore(database).readable('ada')
    expect(before?.content).toContain('[redacted:')
    text = '# Gates\n\nPaint them blue.\n'
    await documents.share(bob, 'gates.md', 'web')
    const [after] = await createSpaceDocumentStore(database).readable('ada')
    expect(after?.content).toBe(text)
    expect(await documents.list(ada, 'web')).toMatchObject([{ path: 'gates.md', author: 'bob' }])
  })

  it('go by the word of their author, or of an operator of the space', async () => {
    await documents.share(ada, 'walls.md', 'web')
    await expect(documents.unshare(bob, 'walls.md', 'web')).rejects.toMatchObject({
      errorType: 'not_found',
    })
    await documents.unshare(ada, 'gates.md', 'web')
    expect(await pathsFor('bob')).toEqual(['walls.md'])
    await expect(documents.share(ada, 'none.md', 'web')).rejects.toMatchObject({
      errorType: 'not_found',
    })
    const { entries } = await spaces.audit(ada, 'web', { limit: 9, offset: 0 })
    expect(entries.slice(0, 2)).toMatchObject([
      { user: 'ada', action: 'unshare', subject: { kind: 'document', id: 'gates.md' }, text: '' },
      { user: 'ada', action: 'share', subject: { kind: 'document', id: 'walls.md' } },
    ])
  })

  it('are gone for whoever leaves, and with the space', async () => {
    await spaces.changeMember(bob, 'web', { user: 'bob' })
    expect(await pathsFor('bob')).toEqual([])
    await spaces.remove(ada, 'web')
    expect(await pathsFor('ada')).toEqual([])
  })
})
