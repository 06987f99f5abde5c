import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { documentSource } from './document-sharing.ts'
import { Library } from './documents/library.ts'
import type { Project } from './project/project.ts'

it('a document that became a link, or holds a key, is not shown to whoever edits it', async () => {
  const folder = temporaryFolder()
  const lang = join(folder, 'docroot', 'lang')
  mkdirSync(lang, { recursive: true })
  writeFileSync(join(folder, 'outside'), 'not for you')
  for (const name of ['a', 'b', 'c']) writeFileSync(join(lang, `${name}.md`), `# ${name}\n`)
  const shipped = join(folder, 'shipped')
  const library = new Library({ shipped, user: join(folder, 'docroot') })
  const project = { shelf: await library.open(join(folder, 'project')) } as Project
  const sourceOf = (path: string) => documentSource(project, path, shipped)
  rmSync(join(lang, 'a.md'))
  symlinkSync(join(folder, 'outside'), join(lang, 'a.md'))
  writeFileSync(join(lang, 'b.md'), '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n')
  expect(await sourceOf('lang/a.md')).toBeUndefined()
  await expect(sourceOf('lang/b.md')).rejects.toThrow('contains a private key')
  expect(await sourceOf('lang/c.md')).toMatchObject({ text: '# c\n', layer: 'user' })
})
