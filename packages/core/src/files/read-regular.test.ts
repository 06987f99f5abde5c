import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { readRegular } from './read-inside.ts'

it('a pipe, a device, a folder and a large file are not read, and nothing waits for them', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('/dev/zero', at('zeros'))
  writeFileSync(at('large'), 'x'.repeat(101))
  writeFileSync(at('small'), 'grün')
  for (const name of ['pipe', 'zeros', 'large', '.'])
    expect(readRegular(at(name), 100)).toBe(undefined)
  expect(readRegular(at('small'), 100)).toBe('grün')
  expect(() => readRegular(at('missing'), 100)).toThrow('ENOENT')
})
