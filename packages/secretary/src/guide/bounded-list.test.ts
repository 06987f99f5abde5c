import { expect, it } from 'vitest'
import { bounded, howToGoOn } from './schemas.ts'

const asIs = <T>(one: T) => one

it('shows a short list whole', () => {
  expect(bounded([1, 2, 3], asIs)).toEqual({ shown: [1, 2, 3] })
  expect(howToGoOn(3, undefined)).toBeUndefined()
})

it('goes through a long list page by page without losing or repeating any', () => {
  const all = Array.from({ length: 1_000 }, (_, place) => `${place} ${'x'.repeat(place)}`)
  const seen: string[] = []
  let next: number | undefined = 0
  while (next !== undefined) {
    const page: { shown: string[]; next?: number } = bounded(all, asIs, next)
    expect(JSON.stringify(page.shown).length).toBeLessThan(50_000)
    seen.push(...page.shown)
    next = page.next
  }
  expect(seen).toEqual(all)
})

it('shows at least one, however large, and nothing behind the end', () => {
  expect(bounded(['x'.repeat(100_000), 'y'], asIs)).toMatchObject({
    shown: [expect.any(String)],
    next: 1,
  })
  expect(bounded([1], asIs, 5)).toEqual({ shown: [] })
})
