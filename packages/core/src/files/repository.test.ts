import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { projectIdentity, repositoryOf } from './repository.ts'

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

describe('the directory that worktrees share', () => {
  const url = 'git@example.com:team/shop.git'
  /** As `git worktree add` leaves it. */
  function worktree(main: string): { folder: string; entry: string } {
    const folder = temporaryFolder()
    const entry = join(main, '.git', 'worktrees', 'one')
    mkdirSync(entry, { recursive: true })
    writeFileSync(join(entry, 'commondir'), '../..\n')
    writeFileSync(join(entry, 'gitdir'), `${join(folder, '.git')}\n`)
    writeFileSync(join(folder, '.git'), `gitdir: ${entry}\n`)
    return { folder, entry }
  }

  it('is that of the main repository for a worktree that the repository knows', () => {
    const main = clone(url)
    const { folder } = worktree(main)
    expect(repositoryOf(folder)?.common).toBe(repositoryOf(main)?.common)
    expect(repositoryOf(folder)?.origin).toBe('example.com/team/shop')
  })

  it('is its own for a folder that only claims to belong to a repository', () => {
    const main = clone(url)
    const { entry } = worktree(main)
    const common = repositoryOf(main)?.common
    const claims: ((folder: string) => void)[] = [
      (folder) => writeFileSync(join(folder, '.git'), `gitdir: ${join(main, '.git')}\n`),
      (folder) => writeFileSync(join(folder, '.git'), `gitdir: ${entry}\n`),
      (folder) => symlinkSync(join(main, '.git'), join(folder, '.git')),
      (folder) => {
        const own = join(folder, 'worktrees', 'one')
        mkdirSync(own, { recursive: true })
        writeFileSync(join(own, 'commondir'), `${join(main, '.git')}\n`)
        writeFileSync(join(own, 'gitdir'), `${join(folder, '.git')}\n`)
        writeFileSync(join(folder, '.git'), `gitdir: ${own}\n`)
      },
    ]
    for (const claim of claims) {
      const folder = temporaryFolder()
      claim(folder)
      expect(repositoryOf(folder)?.common).toBe(`${folder}/.git`)
      expect(repositoryOf(folder)?.common).not.toBe(common)
    }
  })
})
