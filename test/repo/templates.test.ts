import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
const families = ['tasks', 'guide', 'context', 'dialogs']

it('I18 the template of a tool compiles in every family, as it is written', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const family of families) {
    const readme = readFileSync(
      join(root, 'packages/secretary/src', family, 'tools/README.md'),
      'utf8',
    )
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    expect(code, family).toContain(`${family}Family.tool({`)
    const placed = code
      .replaceAll("'../../", `'${root}packages/secretary/src/`)
      .replaceAll("'../", `'${root}packages/secretary/src/${family}/`)
    mkdirSync(join(folder, family))
    writeFileSync(join(folder, family, 'template.ts'), placed)
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      include: ['*/template.ts', join(root, 'packages/*/src/**/*.d.ts')],
    }),
  )
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder],
    { encoding: 'utf8', cwd: root },
  )
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
