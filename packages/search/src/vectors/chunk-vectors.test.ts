import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteIndexStore } from '../index/sqlite-index-store.ts'
import type { IndexedFile, IndexStore } from '../index-store.ts'
import {
  createExactVectors,
  createSignedVectors,
  createSignMatrix,
  foldSigns,
} from './chunk-vectors.ts'

const DIMENSION = 64

/** Around a few hundred centres, as real texts are. */
function vectors(count: number): Int8Array[] {
  let state = 5
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648 - 0.5
  }
  const centres = Array.from({ length: 200 }, () => Array.from({ length: DIMENSION }, next))
  return Array.from({ length: count }, (_, nth) =>
    Int8Array.from(centres[nth % 200] ?? [], (value) => (value + next() * 0.8) * 120),
  )
}

describe('the vectors of very many chunks', () => {
  async function filled(count: number): Promise<{ store: IndexStore; rows: Int8Array[] }> {
    const store = await openSqliteIndexStore(':memory:', silentLog)
    onTestFinished(() => store.close())
    const rows = vectors(count)
    await store.putFiles([fileWith(count)])
    await store.putVectors(
      'm',
      'chunk',
      rows.map((vector, nth) => ({ id: nth + 1, vector })),
    )
    return { store, rows }
  }

  it('are found by their signs as they are by comparing all', async () => {
    const { store, rows } = await filled(3_100)
    await foldSigns(store, 'm', 1_000)
    expect(await store.signBlocksAfter('m', 0, 10)).toHaveLength(3)
    const exact = createExactVectors(store)
    const signed = createSignedVectors(store)
    for (const one of [exact, signed]) await one.load('m')
    expect(signed.rows).toBe(exact.rows)
    const query = rows[777] as Int8Array
    const wanted = await exact.near(query).nearest(40)
    const found = await signed.near(query).nearest(40)
    expect(found[0]).toEqual({ id: 778, score: expect.closeTo(1, 5) })
    const missed = wanted.filter(({ id }) => !found.some((one) => one.id === id))
    expect(missed.length).toBeLessThan(3)
    const ids = [1, 778, 99_999]
    const cosines = await signed.near(query).cosines(ids)
    expect(cosines.get(1)).toBeCloseTo((await exact.near(query).cosines(ids)).get(1) ?? 0, 5)
    expect(cosines.has(99_999)).toBe(false)
  })

  it('are folded anew when most of a fold is gone, and only then', async () => {
    const { store } = await filled(1_001)
    await foldSigns(store, 'm', 1_000)
    await foldSigns(store, 'm', 1_000)
    expect(await store.signBlocksAfter('m', 0, 10)).toHaveLength(1)
    await store.removeFiles(['many.ts'])
    await foldSigns(store, 'm', 1_000)
    expect(await store.signBlocksAfter('m', 0, 10)).toEqual([])
  })

  it('take any dimension, and leave out those of another', () => {
    for (const length of [1, 15, 129, 384, 1536]) {
      const matrix = createSignMatrix()
      matrix.add(7, new Int8Array(length).fill(-128))
      matrix.add(9, new Int8Array(length).fill(127))
      matrix.add(11, new Int8Array(length + 128).fill(127))
      expect(matrix.likely(new Int8Array(length).fill(100), 1)).toEqual([9])
      expect(matrix.likely(new Int8Array(length + 128), 1)).toEqual([])
      expect([matrix.rows, matrix.lastId]).toEqual([2, 9])
    }
  })
})

function fileWith(count: number): IndexedFile {
  const chunk = {
    line: 1,
    endLine: 1,
    kind: 'function',
    symbols: [],
    scope: '',
    content: '',
  } as const
  return {
    path: 'many.ts',
    hash: 'h',
    size: 1,
    mtimeMs: 1,
    language: 'typescript',
    title: 'many',
    outline: 'many',
    pathTerms: 'many',
    chunks: Array.from({ length: count }, () => ({
      ...chunk,
      terms: 'word',
      symbolTerms: '',
      definitions: [],
    })),
  }
}
