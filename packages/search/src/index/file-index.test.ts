import { expect, it } from 'vitest'
import { addScores, packScores } from './file-index.ts'

it('gives each chunk what was packed for it, to a part in 255 of the highest', () => {
  const hits = [
    [1, 0.5],
    [127, 8],
    [255, 3.25],
    [256, 0.001],
    [20_000, 7.9],
    [3_000_000, 1],
  ] as const
  const { most, bytes } = packScores(hits)
  const sums = new Float32Array(3_000_001).fill(1)
  addScores({ most, bytes }, sums)
  for (const [id, score] of hits) expect(Math.abs((sums[id] ?? 0) - 1 - score)).toBeLessThan(0.04)
  expect(sums.filter((sum) => sum !== 1)).toHaveLength(hits.length)
  expect(bytes.length).toBeLessThan(hits.length * 4)
})

it('packs nothing into nothing', () => {
  expect(packScores([]).bytes).toHaveLength(0)
})
