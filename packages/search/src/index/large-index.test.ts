import { join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { IndexedFile, IndexStore } from '../index-store.ts'
import { openSqliteIndexStore } from './sqlite-index-store.ts'

function file(path: string, chunks: readonly { terms: string }[]): IndexedFile {
  return {
    path,
    hash: `hash of ${path}`,
    size: 10,
    mtimeMs: 1.5,
    language: 'typescript',
    title: path,
    outline: path,
    pathTerms: '',
    chunks: chunks.map(({ terms }) => ({
      line: 1,
      endLine: 2,
      kind: 'function',
      symbols: [],
      scope: '',
      content: terms,
      terms,
      symbolTerms: '',
      definitions: [],
    })),
  }
}

describe('a large search index', () => {
  async function fresh(): Promise<{ store: IndexStore; open: () => Promise<IndexStore> }> {
    const path = join(temporaryFolder(), 'index.db')
    const open = async () => {
      const store = await openSqliteIndexStore(path, silentLog)
      onTestFinished(() => store.close())
      return store
    }
    return { store: await open(), open }
  }

  const find = async (store: IndexStore, terms: readonly string[], limit: number) =>
    store.findChunks(await store.frequencies(terms), limit)

  it('counts what is there, whichever way it came and went', async () => {
    const { store, open } = await fresh()
    await store.putFiles([file('a.ts', [{ terms: 'one' }, { terms: 'two' }]), file('b.ts', [])])
    await store.putFiles([file('a.ts', [{ terms: 'one' }])])
    const [id = 0] = (await store.withoutVector('m', 'chunk', 0, 10)).map((row) => row.id)
    await store.putVectors('m', 'chunk', [{ id, vector: Int8Array.of(1) }])
    await store.putVectors('m', 'chunk', [{ id, vector: Int8Array.of(2) }])
    const other = await open()
    expect(await other.counts()).toEqual({ files: 2, chunks: 1, notes: 0 })
    expect(await other.vectorCounts()).toEqual(new Map([['m', 1]]))
    await store.removeFiles(['a.ts'])
    expect(await other.counts()).toEqual({ files: 1, chunks: 0, notes: 0 })
    expect(await other.vectorCounts()).toEqual(new Map())
  })

  it('gives the records of the paths asked for', async () => {
    const { store } = await fresh()
    await store.putFiles([file('a.ts', []), file('b.ts', []), file('c.ts', [])])
    expect([...(await store.files(['b.ts', 'no such file'])).keys()]).toEqual(['b.ts'])
    const behind = async (path: string) => (await store.filesBehind(path, 2)).map((one) => one.path)
    expect(await behind('')).toEqual(['a.ts', 'b.ts'])
    expect(await behind('b.ts')).toEqual(['c.ts'])
    expect(await behind('c.ts')).toEqual([])
  })

  it('keeps the counts of common terms and counts the others when asked', async () => {
    const { store } = await fresh()
    const chunks = Array.from({ length: 2_100 }, (_, nth) => ({
      terms: nth < 3 ? 'all few' : 'all',
    }))
    await store.putFiles([file('a.ts', chunks)])
    await store.countCommonTerms()
    await store.putFiles([file('b.ts', [{ terms: 'all few' }])])
    const terms = ['all', 'few', 'none']
    const expected = [2_100, 4, 0]
    expect([...(await store.frequencies(terms)).values()]).toEqual(expected)
    await store.countCommonTerms()
    expect([...(await store.frequencies(terms)).values()]).toEqual([2_101, 4, 0])
  })

  it('ranks only rows with a rarer term where the terms are in too many, as it would rank all', async () => {
    const { store } = await fresh()
    const chunks = Array.from({ length: 31_000 }, (_, nth) => ({
      terms:
        nth % 1_000 === 7 ? 'common rare' : nth % 1_000 === 8 ? 'filler filler rare' : 'common',
    }))
    await store.putFiles([file('a.ts', chunks)])
    const found = await find(store, ['common', 'rare'], 100)
    expect(found).toHaveLength(62)
    const both = new Set(found.slice(0, 31).map(({ id }) => (id - 1) % 1_000))
    expect([...both]).toEqual([7])
  })

  describe('with common terms scored ahead', () => {
    /** Rare and common terms in texts of different lengths, so that no two rank the same by chance. */
    const chunks = Array.from({ length: 3_000 }, (_, nth) => ({
      terms: [
        ...Array.from({ length: 1 + (nth % 3) }, () => 'common'),
        ...(nth % 5 < 2 ? ['usual'] : []),
        ...(nth % 500 === 7 ? ['rare'] : []),
        ...Array.from({ length: nth % 41 }, () => 'filler'),
      ].join(' '),
    }))
    const terms = ['usual', 'rare', 'none']

    async function scored() {
      const { store, open } = await fresh()
      await store.putFiles([file('a.ts', chunks)])
      await store.countCommonTerms()
      const before = await find(store, terms, 20)
      await store.scoreCommonTerms()
      return { store, open, before }
    }

    it('ranks as before', async () => {
      const { open, before } = await scored()
      const after = await find(await open(), terms, 20)
      expect(after.slice(0, 6).map(({ id }) => id)).toEqual(before.slice(0, 6).map(({ id }) => id))
      after.forEach(({ score }, nth) => {
        expect(score).toBeCloseTo(before[nth]?.score ?? 0, 1)
      })
    })

    it('finds what was added since', async () => {
      const { store } = await scored()
      await store.putFiles([file('b.ts', [{ terms: 'usual rare' }])])
      const [first] = await find(store, terms, 20)
      expect(first?.id).toBe(3_001)
    })

    it('scores again only when much has changed', async () => {
      const { store } = await scored()
      await store.putFiles([file('b.ts', [{ terms: 'usual' }])])
      const stop = AbortSignal.abort()
      await store.scoreCommonTerms(stop)
      await store.putFiles([file('c.ts', chunks.slice(0, 300))])
      await expect(store.scoreCommonTerms(stop)).rejects.toThrow()
      await store.scoreCommonTerms()
      const ids = (await find(store, ['rare', 'usual'], 10)).map(({ id }) => id)
      expect(ids.some((id) => id > 3_001)).toBe(true)
    })

    it('does not find a term that no chunk has', async () => {
      const { store } = await scored()
      expect(await find(store, ['none'], 20)).toEqual([])
    })
  })
})
