import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** Every place in which git looks for a program of a repository's own. */
export const PROGRAM_KEYS = [
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
]

/** A repository whose configuration names a program wherever git would run one; `trace` is there once one has run. */
export function hostileRepository(keys: readonly string[]) {
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
  return { folder, file: join(folder, 'a.ts'), trace }
}
