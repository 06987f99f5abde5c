import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noSignal } from '../../../test/support/dialogs-service.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { blame } from './blame.ts'

/** A repository whose configuration names a program wherever git would run one. */
function hostileRepository(keys: readonly string[]) {
  const folder = temporaryFolder()
  const [program, trace] = [join(folder, 'program'), join(folder, 'trace')]
  writeFileSync(program, `#!/bin/sh\necho ran >> ${trace}\ncat\n`, { mode: 0o755 })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  git('init', '-q')
  writeFileSync(join(folder, '.gitattributes'), '*.ts diff=evil filter=evil\n')
  writeFileSync(join(folder, 'a.ts'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  for (const key of keys) git('config', key, program)
  git('config', 'log.showSignature', 'true')
  writeFileSync(join(folder, 'a.ts'), 'one\ntwo\n')
  return { file: join(folder, 'a.ts'), trace }
}

describe('a repository’s own configuration', () => {
  it('runs no program while a line’s origin is looked up', async () => {
    const { file, trace } = hostileRepository([
      'diff.evil.textconv',
      'diff.evil.command',
      'diff.external',
      'filter.evil.clean',
      'filter.evil.process',
      'filter.evil.smudge',
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'gpg.program',
    ])
    const lines = await blame(file, noSignal)
    expect(lines).toHaveLength(2)
    expect(lines?.[0]?.commit).toMatch(/^[\da-f]{40}/)
    expect(lines?.[1]).toBeUndefined()
    expect(existsSync(trace)).toBe(false)
  })

  it('is not asked at all where a filter has a name that cannot be turned off', async () => {
    const { file, trace } = hostileRepository(['filter.a=b.clean'])
    expect(await blame(file, noSignal)).toBeUndefined()
    expect(existsSync(trace)).toBe(false)
  })
})
