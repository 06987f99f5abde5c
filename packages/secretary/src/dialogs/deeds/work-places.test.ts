import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Repository, repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { WorkPlace } from './deed-store.ts'
import { otherClonesOf, placesOf, SameProjects } from './work-places.ts'

const SHOP = 'git@example.com:team/shop.git'

function clone(origin: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git', 'config'), `[remote "origin"]\n\turl = ${origin}\n`)
  return folder
}
const placeAt = (folder: string): WorkPlace => ({
  project: folder,
  repository: repositoryOf(folder),
})
const repositoryAt = (folder: string) => repositoryOf(folder) as Repository
const storeOf = (...places: WorkPlace[]) => ({
  places: async () => places,
  sameProjects: new SameProjects(join(temporaryFolder(), 'same-projects.json')),
})

describe('the dialogs of another clone', () => {
  it('are not shown to a folder that only names the same origin, and it is told how', async () => {
    const [mine, other] = [clone(SHOP), clone('https://example.com/team/shop')]
    const store = storeOf(placeAt(mine))
    expect(await placesOf(store, other)).toEqual([])
    expect(await otherClonesOf(store, other)).toMatchObject([{ folder: mine, projects: [mine] }])
    expect(await otherClonesOf(store, mine)).toEqual([])
    expect(await otherClonesOf(store, clone('git@example.com:team/other.git'))).toEqual([])
  })

  it('are shown in both once the person confirmed that they are one project, until it is taken back', async () => {
    const [one, two, three] = [clone(SHOP), clone(SHOP), clone(SHOP)]
    const store = storeOf(...[one, two, three].map(placeAt))
    store.sameProjects.confirm(repositoryAt(one), repositoryAt(two))
    const foldersFor = async (folder: string) =>
      (await placesOf(store, folder)).map(({ project }) => project)
    expect(await foldersFor(one)).toEqual([one, two])
    expect(await foldersFor(two)).toEqual([one, two])
    expect(await foldersFor(three)).toEqual([three])
    store.sameProjects.confirm(repositoryAt(two), repositoryAt(three))
    expect(await foldersFor(one)).toEqual([one, two, three])
    store.sameProjects.separate(repositoryAt(two))
    expect(await foldersFor(one)).toEqual([one])
  })

  it('are no longer shown once another repository stands in the confirmed folder', async () => {
    const [one, two] = [clone(SHOP), clone(SHOP)]
    const store = storeOf(placeAt(one))
    store.sameProjects.confirm(repositoryAt(one), repositoryAt(two))
    expect(await placesOf(store, two)).toHaveLength(1)
    writeFileSync(join(two, '.git', 'config'), '[remote "origin"]\n\turl = git@evil.example:a/b\n')
    expect(await placesOf(store, two)).toEqual([])
  })

  it('are not shown because of what an earlier version stored about a folder', async () => {
    const [mine, claiming] = [clone(SHOP), temporaryFolder()]
    writeFileSync(join(claiming, '.git'), `gitdir: ${join(mine, '.git')}\n`)
    const store = storeOf({ project: claiming, repository: repositoryAt(mine) })
    expect(await placesOf(store, mine)).toEqual([])
  })

  it('stay where a worktree that the repository knew is gone', async () => {
    const mine = clone(SHOP)
    const gone = temporaryFolder()
    const store = storeOf({ project: gone, repository: { ...repositoryAt(mine), root: gone } })
    rmSync(gone, { recursive: true })
    expect(await placesOf(store, mine)).toHaveLength(1)
  })
})
