import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { highestFirst } from './highest-first.ts'

it('gives the places that sorting would give', () => {
  const scores = fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 60 })
  void fc.assert(
    fc.property(scores, fc.nat({ max: 70 }), (list, limit) => {
      const sorted = list
        .map((score, place) => ({ score, place }))
        .sort((a, b) => b.score - a.score || a.place - b.place)
        .map(({ place }) => place)
      expect(highestFirst(Float32Array.from(list), limit)).toEqual(sorted.slice(0, limit))
    }),
  )
})
