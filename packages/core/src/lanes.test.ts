import { expect, it } from 'vitest'
import { Lanes } from './boundary.ts'

it('runs so many calls of one user at once, the rest in turn, and refuses what would wait too long', async () => {
  const lanes = new Lanes(2, 3)
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const call = (user: string) =>
    lanes.run(user, async () => {
      running++
      most = Math.max(most, running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
      return user
    })
  const calls = Array.from({ length: 5 }, () => call('ada'))
  await expect(call('ada')).rejects.toThrow('Too many calls at once')
  expect(ends).toHaveLength(2)
  const other = call('bob')
  expect(ends).toHaveLength(3)
  while (ends.length > 0) {
    ends.shift()?.()
    await new Promise((later) => setImmediate(later))
  }
  expect(await Promise.all([...calls, other])).toEqual(['ada', 'ada', 'ada', 'ada', 'ada', 'bob'])
  expect(most).toBe(3)
})

it('gives a place back after a failure', async () => {
  const lanes = new Lanes(1, 1)
  for (let round = 0; round < 3; round++)
    await expect(
      lanes.run('ada', async () => {
        throw new Error('x')
      }),
    ).rejects.toThrow('x')
  expect(await lanes.run('ada', async () => 'done')).toBe('done')
})
