import { describe, expect, it } from 'vitest'
import { keepPlaces } from './keep-places.ts'

const code = (score: number) => ({ source: 'code' as const, score, session: null })
const said = (score: number, session: string) => ({ source: 'session' as const, score, session })
const noted = (score: number) => ({ source: 'discovery' as const, score, session: null })

describe('places for each kind of result', () => {
  it('C1 dialogs and discoveries are among five although code scores higher', () => {
    const results = [
      ...[0.9, 0.8, 0.7, 0.6, 0.5].map(code),
      said(0.4, 'a'),
      said(0.3, 'b'),
      said(0.28, 'c'),
      noted(0.26),
    ]
    expect(keepPlaces(results, 5)).toEqual([
      code(0.9),
      code(0.8),
      said(0.4, 'a'),
      said(0.3, 'b'),
      noted(0.26),
    ])
  })

  it('C1 one dialog does not take both places', () => {
    const dialogs = [said(0.5, 'a'), said(0.4, 'a'), said(0.3, 'b')]
    const results = [...[0.9, 0.8, 0.7, 0.6].map(code), ...dialogs]
    const sessions = keepPlaces(results, 5).flatMap(({ session }) => session ?? [])
    expect(sessions).toEqual(['a', 'b'])
  })

  it('C1 places that a kind does not fill go to the best of the others', () => {
    const results = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map(code)
    expect(keepPlaces(results, 5)).toEqual(results.slice(0, 5))
    const sayings = [said(0.9, 'a'), said(0.8, 'a'), said(0.7, 'a'), said(0.6, 'a')]
    expect(keepPlaces(sayings, 3)).toEqual(sayings.slice(0, 3))
  })

  it('C1 a note that says next to nothing of the question has no place of its own', () => {
    const results = [...[0.9, 0.8, 0.7, 0.6, 0.5].map(code), said(0.2, 'a'), noted(0.1)]
    expect(keepPlaces(results, 5)).toEqual(results.slice(0, 5))
  })

  it('C1 a single place belongs to the best', () => {
    expect(keepPlaces([code(0.9), said(0.5, 'a')], 1)).toEqual([code(0.9)])
  })
})
