import { describe, expect, it } from 'vitest'
import { pauseAfter, withinMinute } from './search-pace.ts'

describe('a search that begins by itself', () => {
  it('comes half a second after the last key, and later the more there were in the last minute', () => {
    expect(pauseAfter([], 100_000)).toBe(500)
    expect(pauseAfter([30_000, 90_000, 95_000], 100_000)).toBe(700)
  })

  it('never comes more than thirty times in a minute, however short the pauses of the person are', () => {
    let searches: number[] = []
    let now = 0
    for (let step = 0; step < 500; step++) {
      now += pauseAfter(searches, now) + 1
      searches = [...withinMinute(searches, now), now]
      expect(searches.length).toBeLessThanOrEqual(30)
    }
  })
})
