import { expect, it } from 'vitest'
import { HybridClock } from './hybrid-clock.ts'

it('versions rise, also when the clock stands still, is set back, or another machine is ahead', () => {
  let now = 1_800_000_000_000
  const clock = new HybridClock('a', undefined, () => now)
  const made = [clock.next(), clock.next()]
  now -= 86_400_000
  made.push(clock.next())
  const ahead = new HybridClock('b', undefined, () => now + 10 * 86_400_000)
  const theirs = ahead.next()
  clock.observe(theirs)
  made.push(theirs, clock.next())
  clock.observe(new HybridClock('c', undefined, () => 8.64e15).next())
  made.push(clock.next())
  now += 1
  made.push(new HybridClock('a', made.at(-1), () => now).next())
  expect(made).toEqual([...made].sort())
  expect(new Set(made).size).toBe(made.length)
})

it('two machines at the same moment make two versions', () => {
  const [one, other] = ['a', 'b'].map((name) => new HybridClock(name, undefined, () => 5).next())
  expect(one).not.toBe(other)
})
