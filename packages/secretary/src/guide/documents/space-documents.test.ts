import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { Library, type SpaceDocument, withSpaceDocuments } from './library.ts'

const document = (id: string, name: string, path: string): SpaceDocument => ({
  space: { id, name },
  path,
  content: `# ${path} of ${name}\n`,
})

async function shelfWith(...shared: SpaceDocument[]) {
  const folder = temporaryFolder()
  const own = join(folder, 'user', 'spaces', 'web')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'mine.md'), '# My own\n')
  const library = new Library({ shipped: join(folder, 'shipped'), user: join(folder, 'user') })
  const shelf = await library.open(folder)
  return withSpaceDocuments(shelf, shared, await library.yaml())
}

describe('documents of spaces', () => {
  it('are found in a folder of the space, beside everything else', async () => {
    const shelf = await shelfWith(document('w1', 'web', 'lang/gates.md'))
    expect(shelf.files.map(({ path }) => path)).toEqual([
      'spaces/web/lang/gates.md',
      'spaces/web/mine.md',
    ])
    const file = shelf.find('spaces/web/lang/gates')
    expect(file && shelf.read(file)).toMatchObject({
      title: 'lang/gates.md of web',
      layer: 'space',
    })
  })

  it('never take the place of a document of the person', async () => {
    const shelf = await shelfWith(document('w1', 'web', 'mine.md'))
    const file = shelf.find('spaces/web/mine')
    expect(file && shelf.read(file)).toMatchObject({ title: 'My own', layer: 'user' })
    expect(shelf.files).toHaveLength(1)
  })

  it.each(['../../etc', 'a/b', '_hidden', '..', 'a:b|c'])(
    'stay below the folder of spaces, whatever a space is called: %s',
    async (name) => {
      const shelf = await shelfWith(document('id', name, 'x.md'))
      const paths = shelf.files.map(({ path }) => path).filter((path) => path.endsWith('/x.md'))
      expect(paths).toHaveLength(1)
      expect(paths[0]).toMatch(/^spaces\/[^/_.][^/]*\/x\.md$/)
    },
  )

  it('of two spaces whose names look alike in a path are both there', async () => {
    const shelf = await shelfWith(document('i1', 'a/b', 'x.md'), document('i2', 'a-b', 'x.md'))
    expect(shelf.files.map(({ path }) => path)).toEqual([
      'spaces/a-b/x.md',
      'spaces/i2/x.md',
      'spaces/web/mine.md',
    ])
  })
})
