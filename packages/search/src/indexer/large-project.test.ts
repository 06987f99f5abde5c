import v8 from 'node:v8'
import { expect, it, onTestFinished, vi } from 'vitest'
import { engineFor, filesFor, write } from '../../../../test/support/search-engine-house.ts'
import type { IndexStore } from '../index-store.ts'
import { withSmallHeap } from './index-run.ts'

/** Notes how much of what is known of files is asked for at a time. */
function counting() {
  const asked = { paths: 0, records: 0 }
  const around = (store: IndexStore): IndexStore => ({
    ...store,
    files: (paths) => {
      asked.paths = Math.max(asked.paths, paths.length)
      return store.files(paths)
    },
    filesBehind: (path, limit) => {
      asked.records = Math.max(asked.records, limit)
      return store.filesBehind(path, limit)
    },
  })
  return { asked, around }
}

function watchedFlags() {
  const setFlags = vi.spyOn(v8, 'setFlagsFromString')
  onTestFinished(() => setFlags.mockRestore())
  return setFlags
}

function project(from: number, to: number): Record<string, string> {
  const numbers = Array.from({ length: to - from }, (_, nth) => from + nth)
  return Object.fromEntries(
    numbers.map((nth) => [`src/${nth % 7}/f${nth}.txt`, `zebra${nth} crosses the road\n`]),
  )
}

it('knows of 620 files which are new and which are gone, and never has all records in memory', async () => {
  const { asked, around } = counting()
  const { engine, root } = await engineFor({ files: project(0, 620), around })
  expect(await engine.index()).toMatchObject({ filesIndexed: 620, filesUnchanged: 0 })
  write(root, { ...project(620, 623), 'src/3/f500.txt': 'a giraffe instead\n' })
  write(root, { 'src/4/f4.txt': '' })
  expect(await engine.index()).toMatchObject({
    filesIndexed: 4,
    filesUnchanged: 618,
    filesRemoved: 1,
  })
  expect(await filesFor(engine, 'giraffe')).toEqual(['src/3/f500.txt'])
  expect((await engine.status()).files).toBe(622)
  expect(asked.paths).toBeLessThanOrEqual(500)
  expect(asked.records).toBeLessThanOrEqual(1_000)
})

it('lets the heap grow little during a run over everything, and as usual afterwards', async () => {
  const { engine } = await engineFor()
  const setFlags = watchedFlags()
  await engine.index()
  const flags = setFlags.mock.calls.flat()
  expect(flags).toEqual(['--heap-growing-percent=50', '--heap-growing-percent=0'])
})

it('waits for the last of several runs', async () => {
  const setFlags = watchedFlags()
  const inner = () => withSmallHeap(async () => 'done')
  await expect(withSmallHeap(inner)).resolves.toBe('done')
  await expect(withSmallHeap(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(setFlags).toHaveBeenCalledTimes(4)
})
