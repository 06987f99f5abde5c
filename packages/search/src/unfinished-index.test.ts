import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { describe, expect, it } from 'vitest'
import { engineFor, PROJECT, write } from '../../../test/support/search-engine-house.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { IndexStore } from './index-store.ts'

const FULL = 'The disk is full; nothing was saved'
const MORE = { 'src/later.ts': 'export function later() {}\n' }

/** From the first file that a run wants to store, nothing can be written any more, a reason least of all. */
function fillingDisk() {
  const disk = { fills: false, isFull: false }
  const around = (store: IndexStore): IndexStore => {
    const ifRoom = async (work: () => Promise<void>) => {
      if (disk.isFull) throw new Failure('storage_full', FULL)
      await work()
    }
    return {
      ...store,
      async putFiles(files) {
        disk.isFull = disk.fills
        await ifRoom(() => store.putFiles(files))
      },
      setMark: (name, value) => ifRoom(() => store.setMark(name, value)),
    }
  }
  return { disk, around }
}

/** Two processes over one index, whole as yet; for the first the disk may fill up. */
async function twoEngines() {
  const root = temporaryFolder()
  const database = join(temporaryFolder(), 'index', 'p.db')
  write(root, PROJECT)
  const { disk, around } = fillingDisk()
  const { engine: here } = await engineFor({ root, database, around, pid: process.pid })
  const { engine: there } = await engineFor({ root, database, pid: process.ppid })
  await here.index()
  const problems = async () => {
    const request = { query: 'createStore', limit: 1 }
    const told = [await here.search(request), await there.search(request), await there.status()]
    return told.map(({ problem }) => problem)
  }
  return { root, disk, here, there, problems }
}

describe('a later run that does not come to its end', () => {
  it('is told by its own process and by others, until one does', async () => {
    const { root, disk, here, problems } = await twoEngines()
    expect(await problems()).toEqual([undefined, undefined, undefined])
    write(root, MORE)
    disk.fills = true
    await expect(here.index()).rejects.toThrow(FULL)
    const interrupted = 'the last run did not finish'
    expect(await problems()).toEqual([FULL, interrupted, interrupted])
    disk.fills = false
    disk.isFull = false
    await here.index()
    expect(await problems()).toEqual([undefined, undefined, undefined])
  })

  it('is none that found nothing to change', async () => {
    const { disk, here, problems } = await twoEngines()
    disk.isFull = true
    await expect(here.index()).rejects.toThrow(FULL)
    disk.isFull = false
    expect((await problems()).slice(1)).toEqual([undefined, undefined])
  })

  it('is told while files are watched, although the rest is there', async () => {
    const { root, disk, here } = await twoEngines()
    const indexed = new Promise((resolve) => {
      write(root, { 'src/first.ts': 'export function first() {}\n' })
      void here.watch({ onIndexed: resolve })
    })
    await indexed
    disk.fills = true
    write(root, MORE)
    await expect.poll(async () => (await here.status()).problem).toBe(FULL)
  })
})
