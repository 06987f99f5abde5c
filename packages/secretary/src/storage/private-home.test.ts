import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { keepPrivate } from './private-home.ts'

it('sweeps what killed writers left behind, and nothing else', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'docroot', 'lang'), { recursive: true })
  const names = [
    '.token-0123456789abcdef',
    'docroot/lang/.0123456789ab.tmp',
    'docroot/lang/notes.tmp',
    'token',
  ]
  const yesterday = Date.now() / 1_000 - 86_400
  for (const name of names) {
    writeFileSync(join(home, name), 'half')
    utimesSync(join(home, name), yesterday, yesterday)
  }
  writeFileSync(join(home, '.token-fedcba9876543210'), 'being written')
  keepPrivate(home)
  expect(names.filter((name) => existsSync(join(home, name)))).toEqual(names.slice(2))
  expect(existsSync(join(home, '.token-fedcba9876543210'))).toBe(true)
})
