import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { projectIdentity } from './repository.ts'

function clone(origin?: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.git'))
  const remote = origin === undefined ? '' : `[remote "origin"]\n\turl = ${origin}\n`
  writeFileSync(join(folder, '.git', 'config'), `[core]\n\tbare = false\n${remote}`)
  mkdirSync(join(folder, 'packages', 'web'), { recursive: true })
  return folder
}

describe('the identity of a project', () => {
  it.each([
    'git@example.com:team/shop.git',
    'https://example.com/team/shop',
    'https://ada:secret@example.com/team/shop.git',
    'ssh://git@EXAMPLE.com:22/team/shop.git/',
  ])('is the same for every clone of %s', (origin) => {
    expect(projectIdentity(clone(origin))).toBe('example.com/team/shop')
  })

  it('includes the folder within the repository', () => {
    const folder = join(clone('git@example.com:team/shop.git'), 'packages', 'web')
    expect(projectIdentity(folder)).toBe('example.com/team/shop/packages/web')
  })

  it.each([undefined, '../shop.git', '/srv/git/shop.git', 'file:///srv/git/shop.git'])(
    'is the folder itself where the repository is published nowhere: %s',
    (origin) => {
      const folder = clone(origin)
      expect(projectIdentity(folder)).toBe(folder)
    },
  )

  it('is the folder itself where there is no repository', () => {
    const folder = temporaryFolder()
    expect(projectIdentity(folder)).toBe(folder)
  })
})
