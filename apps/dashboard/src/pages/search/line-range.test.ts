import { describe, expect, it } from 'vitest'
import { hashOf, rangeIn } from './line-range.ts'

describe('lines in an address', () => {
  it('are one line or a range, in either order', () => {
    expect(rangeIn('#L10')).toEqual({ from: 10, to: 10 })
    expect(rangeIn('#L10-L20')).toEqual({ from: 10, to: 20 })
    expect(rangeIn('#L20-10')).toEqual({ from: 10, to: 20 })
    expect(rangeIn('#top')).toBeUndefined()
  })

  it('grow from the line that was chosen before', () => {
    expect(hashOf(5)).toBe('#L5')
    expect(hashOf(9, { from: 5, to: 5 })).toBe('#L5-L9')
    expect(hashOf(2, { from: 5, to: 7 })).toBe('#L2-L7')
  })
})
