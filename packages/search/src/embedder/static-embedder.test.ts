import { join } from 'node:path'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { describe, expect, it } from 'vitest'
import {
  createStaticEmbedder,
  createWordPieces,
  decodeStaticTable,
  MINILM_STATIC,
} from './static-embedder.ts'

const embedder = createStaticEmbedder({
  ...MINILM_STATIC,
  path: join(packageRoot(), 'assets', 'embeddings', MINILM_STATIC.file),
})

async function similarity(a: string, b: string): Promise<number> {
  const [left = new Float32Array(), right = new Float32Array()] = await embedder.embed([a, b])
  return left.reduce((sum, value, d) => sum + value * (right[d] ?? 0), 0)
}

describe('the static embedder', () => {
  it('puts what means the same nearer than what does not', async () => {
    const near = await similarity('delete the user account', 'removeAccount(user)')
    const far = await similarity('delete the user account', 'renderTemplate(view)')
    expect(near).toBeGreaterThan(far + 0.1)
  })

  it('gives vectors of length one, and a zero vector for a text without a known word', async () => {
    const [known = new Float32Array(), unknown = new Float32Array()] = await embedder.embed([
      'parse json',
      '日本',
    ])
    expect(Math.hypot(...known)).toBeCloseTo(1, 4)
    expect(Math.hypot(...unknown)).toBe(0)
    expect(known).toHaveLength(embedder.dimension)
  })

  it('says at once, when warmed up, that its table is missing, instead of at the first text', async () => {
    await expect(
      createStaticEmbedder({ ...MINILM_STATIC, path: '/nowhere/table.bin' }).warmUp?.(),
    ).rejects.toThrow('ENOENT')
    await expect(embedder.warmUp?.()).resolves.toBeUndefined()
  })

  it('stops when asked to', async () => {
    await expect(embedder.embed(['text'], AbortSignal.abort())).rejects.toThrow()
  })

  it('takes the longest pieces from the left and gives up on a word it cannot cover', () => {
    const rowsOf = createWordPieces(
      new Map([
        ['mem', 0],
        ['##o', 1],
        ['memo', 2],
        ['##ize', 3],
      ]),
    )
    expect(rowsOf('memoize')).toEqual([2, 3])
    expect(rowsOf('memoizeX9')).toEqual([2, 3])
    expect(rowsOf('zzz')).toEqual([])
  })

  it('refuses a table that was cut short', () => {
    const head = `${JSON.stringify({ id: 'x', dimension: 2, words: 1, textBytes: 1 })}\na`
    expect(() => decodeStaticTable(Buffer.from(head))).toThrow('incomplete')
  })
})
