import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { detectProfiles } from './project.ts'

it.each([
  [{ 'pyproject.toml': '' }, ['python']],
  [{ 'go.mod': '', 'Cargo.toml': '' }, ['go', 'rust']],
  [{ 'package.json': '{"dependencies":{"react":"19.0.0"}}' }, ['react', 'typescript']],
  [{ 'package.json': '{ broken' }, ['typescript']],
  [{ 'main.py': '', 'notes.txt': '' }, ['python']],
  [{ 'tsconfig.json': '', 'tool.py': '' }, ['typescript']],
  [{ constructor: '', '__proto__.py': '' }, ['python']],
  [{}, []],
])('sees in %j the profiles %j', (files, expected) => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  expect(detectProfiles(folder)).toEqual(expected)
})

it('sees nothing where there is no such folder', () => {
  expect(detectProfiles(join(temporaryFolder(), 'none'))).toEqual([])
})
