import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { noProjectReason } from './no-project.ts'

describe('a folder that was made for keys', () => {
  const userHome = temporaryFolder()
  const places = { home: join(userHome, '.secretary'), userHome, allowAnyProject: 'off' } as const

  it.each(['.ssh', '.aws', '.GnuPG', '.kube/cache', '.config/gcloud', 'work/.password-store/team'])(
    '%s is no project, by its name or by a link to it',
    (path) => {
      const folder = join(userHome, path)
      mkdirSync(folder, { recursive: true })
      const link = join(userHome, `link-to-${path.replaceAll('/', '-')}`)
      symlinkSync(folder, link)
      for (const project of [folder, link])
        expect(noProjectReason({ ...places, project })).toContain('is a folder of keys')
      expect(noProjectReason({ ...places, project: folder, allowAnyProject: 'on' })).toBeUndefined()
    },
  )

  it.each(['.config/nvim', 'ssh', 'work/.awsome'])('but %s is one', (path) => {
    const project = join(userHome, path)
    mkdirSync(project, { recursive: true })
    expect(noProjectReason({ ...places, project })).toBeUndefined()
  })
})
