import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { grep } from './grep.ts'

const { signal } = new AbortController()
/** Longer than a test may take: whoever waits for the pipe fails. */
const NEVER_MS = 3_600_000

function projectWith(place: (root: string) => void): string {
  const root = join(temporaryFolder(), 'outer', 'project')
  mkdirSync(join(root, 'src/deep'), { recursive: true })
  writeFileSync(join(root, 'src/deep/lamp.ts'), 'export const lamp = 1\n')
  writeFileSync(join(root, 'lamp.md'), 'lamp\n')
  place(root)
  return root
}

const filesWithLamp = async (root: string) => {
  const request = { pattern: 'lamp', caseSensitive: true, limit: 10 }
  const { matches, truncated } = await grep(root, request, signal, NEVER_MS)
  expect(truncated).toBeUndefined()
  return matches.map(({ file }) => file)
}

const pipe = (path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

describe('a pipe in place of a file of rules', () => {
  it.each([
    '.gitignore',
    '.ignore',
    '.rgignore',
    'src/.gitignore',
    'src/deep/.ignore',
    '.git/info/exclude',
    'src/.git/info/exclude',
    '../.gitignore',
    '../../.ignore',
  ])('does not hold up a search: %s', async (path) => {
    const root = projectWith((folder) => pipe(join(folder, path)))
    expect(await filesWithLamp(root)).toEqual(['lamp.md', 'src/deep/lamp.ts'])
  })

  it.each(['pipe', '/dev/zero', '/dev/tty'])('nor does a link to %s', async (target) => {
    const root = projectWith((folder) => {
      pipe(join(folder, 'pipe'))
      symlinkSync(target, join(folder, '.ignore'))
    })
    expect(await filesWithLamp(root)).toEqual(['lamp.md', 'src/deep/lamp.ts'])
  })

  it('leaves the rules of the root in force', async () => {
    const root = projectWith((folder) => {
      pipe(join(folder, 'src/.gitignore'))
      writeFileSync(join(folder, '.gitignore'), '/*.md\n')
    })
    expect(await filesWithLamp(root)).toEqual(['src/deep/lamp.ts'])
  })
})
