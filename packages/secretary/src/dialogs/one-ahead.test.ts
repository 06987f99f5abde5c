import { expect, it } from 'vitest'
import { oneAhead } from './dialog-index.ts'

it('gives the answers in order, with one more under way than is asked for', async () => {
  const begun: number[] = []
  const seen: [answer: number, begun: number][] = []
  const work = async (item: number) => {
    begun.push(item)
    return item * 10
  }
  for await (const answer of oneAhead([1, 2, 3], work)) seen.push([answer, begun.length])
  expect(seen).toEqual([
    [10, 2],
    [20, 3],
    [30, 3],
  ])
  for await (const answer of oneAhead([], work)) expect.unreachable(String(answer))
})

it('fails where an item does, and a later failure is nobody’s', async () => {
  const work = (item: number) => Promise.reject(new Error(`item ${item}`))
  const all = async () => {
    for await (const _ of oneAhead([1, 2], work)) expect.unreachable()
  }
  await expect(all()).rejects.toThrow('item 1')
})
