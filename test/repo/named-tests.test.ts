import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

/** `e2e/roles` is a test of its own, `packages/…` one beside its source. */
const pathOf = (name: string) => `${name.startsWith('packages/') ? name : `test/${name}`}.test.ts`

it('every test that docs/security.md names as a proof exists', () => {
  const promises = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const named = [
    ...promises.matchAll(/`((?:packages|e2e|contract|commands|page|package|repo)\/[\w/-]+)`/g),
  ]
  const paths = named.map(([, name = '']) => pathOf(name))
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
