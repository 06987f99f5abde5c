import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { checkGuide } from './check.ts'
import { Library } from './documents/library.ts'
import { openProject } from './project/project.ts'
import type { GuideStore } from './store/guide-store.ts'

const shipped = fileURLToPath(new URL('../../../../docroot', import.meta.url))
const store: Partial<GuideStore> = {
  load: async () => ({
    selections: [
      {
        kind: 'collection',
        name: 'mine',
        dir: '',
        items: ['gone/x', 'a'],
        description: '',
        removed: false,
      },
    ],
    profiles: [],
    projectFlags: { known: true },
    globalFlags: {},
  }),
}
const nothingStored: Partial<GuideStore> = {
  load: async () => ({ selections: [], profiles: [], projectFlags: {}, globalFlags: {} }),
}

it('finds broken documents and includes, unknown flags, duplicate names and empty parts of collections', async () => {
  const folder = temporaryFolder()
  const files = {
    'a/yaml.md': '---\n[\n---\n',
    'a/include.md':
      '---\nincludes: [a/none]\n---\n{{> a/nowhere}}{{#flags.known}}{{> a/lost}}{{/flags.known}}',
    'a/flag.md': '---\nrequires-known: true\nrequires-other: true\n---\n',
    'a/same.md': 'x',
    'a/Same.txt': 'x',
    'a/fine.md': '---\nincludes: a/same\n---\nx',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const library = new Library({ shipped: join(folder, 'none'), user: folder })
  const project = await openProject({ user: 'ada', project: folder }, store as GuideStore, library)
  const found = checkGuide(project).map(({ document, kind, text }) => `${document} ${kind} ${text}`)
  expect(found.sort()).toEqual([
    'a/flag.md flag requires the flag other, which is not set',
    'a/include.md include includes a/lost, which does not exist',
    'a/include.md include includes a/none, which does not exist',
    'a/include.md include includes a/nowhere, which does not exist',
    'a/same.md duplicate has the same name as a/Same.txt',
    'a/yaml.md broken the front matter is not YAML',
    'mine collection names gone, which does not exist',
  ])
})

it('G11 finds nothing to mend in the starter docroot, which has at least 25 documents', async () => {
  const folder = temporaryFolder()
  const project = await openProject(
    { user: 'ada', project: folder },
    nothingStored as GuideStore,
    new Library({ shipped, user: join(folder, 'none') }),
  )
  expect(checkGuide(project)).toEqual([])
  const documents = project.shelf.files.filter(({ path }) => !path.includes('_'))
  expect(documents.length).toBeGreaterThanOrEqual(25)
  expect([...project.categories.values()].every(({ description }) => description !== '')).toBe(true)
})
