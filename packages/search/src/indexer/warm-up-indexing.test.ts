import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { engineFor, filesFor, write } from '../../../../test/support/search-engine-house.ts'
import { samples } from '../search-engine.ts'

const file = (path: string, size: number) => ({ path, size, hash: '', mtimeMs: 0 })

it('takes one file of each of the two commonest languages, the largest that is not huge', async () => {
  const files = [
    file('a.py', 10),
    file('b.go', 10),
    file('c.go', 900_000),
    file('d.go', 20),
    file('e.rs', 30),
    file('f.rs', 5),
    file('notes.md', 10),
    file('data.json', 10),
    file('x.unknown', 10),
  ]
  expect((await samples(files)).map(({ path }) => path)).toEqual(['d.go', 'e.rs'])
  expect(await samples([])).toEqual([])
})

it('writes nothing, and watching begins with what went and came before', async () => {
  const { engine, root } = await engineFor()
  await engine.index()
  const before = await engine.status()
  rmSync(join(root, 'src/auth/login.ts'))
  write(root, { 'src/later.ts': 'export function cameLater() {}\n' })
  const watcher = await engine.watch()
  await expect.poll(async () => (await filesFor(engine, 'cameLater'))[0]).toBe('src/later.ts')
  await watcher.close()
  expect((await engine.status()).files).toBe(before.files)
})
