import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { FolderWatch } from './folder-watch.ts'

it('follows a folder that took the place of one of the same name', async () => {
  const folder = join(temporaryFolder(), 'words')
  let told = 0
  const watch = new FolderWatch(() => {
    told++
    watch.follow([folder])
  })
  mkdirSync(folder)
  watch.follow([folder])
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  // The first is owed to the old folder, the second to the new one being followed.
  await expect.poll(() => told).toBeGreaterThanOrEqual(2)
  told = 0
  writeFileSync(join(folder, 'alpha.md'), 'alpha')
  await expect.poll(() => told).toBeGreaterThan(0)
  watch.close()
})
