import { expect, it } from 'vitest'
import type { Note } from '../search-types.ts'
import { type NoteCandidate, rankNotes } from './rank-notes.ts'

const TERMS = ['price', 'cent']
const MODEL = { id: 'built in' }

function candidate(id: string, content: string, found: Omit<NoteCandidate, 'note'>): NoteCandidate {
  const note: Note = { id, content, source: 'discovery', date: '2026-01-05T10:00:00.000Z' }
  return { note, ...found }
}

const exact = candidate('exact', 'Prices in cents', { words: 8, nearness: 0.8 })
const partial = candidate('partial', 'Prices of bread', { words: 2, nearness: 0.4 })

function ranked(...stores: (readonly NoteCandidate[])[]) {
  const lists = stores.map((candidates) => ({ candidates, model: MODEL }))
  return rankNotes(TERMS, { query: 'price in cents' }, lists)
}

it('a note has the same score whichever store it was found in', () => {
  const [alone] = ranked([exact])
  const [beside] = ranked([], [exact])
  expect(beside).toEqual(alone)
})

it('a note has the same score whether its store tells which terms it has or it is read for them', () => {
  for (const [one, matched] of [
    [exact, TERMS],
    [partial, ['price']],
  ] as const)
    expect(ranked([{ ...one, matched: new Set(matched) }])).toEqual(ranked([one]))
})

it('the best of one store does not outrank a better one of another, however their words are counted', () => {
  const counted = { ...exact, words: 0.01 }
  expect(ranked([partial], [counted]).map(({ id }) => id)).toEqual(['exact', 'partial'])
  expect(ranked([exact], [partial]).map(({ id }) => id)).toEqual(['exact', 'partial'])
})

it('a note that is near to nothing in particular is not shown, in any store', () => {
  const far = candidate('far', 'The bakery opens at six', { nearness: 0.2 })
  expect(ranked([far])).toEqual([])
  expect(ranked([], [far])).toEqual([])
  expect(ranked([exact], [far]).map(({ id }) => id)).toEqual(['exact', 'far'])
})

it('cosines of another model are compared among themselves', () => {
  const near = candidate('near', 'What things cost', { nearness: 0.5 })
  const [alone] = rankNotes(TERMS, { query: 'price' }, [{ candidates: [near], model: MODEL }])
  const other = { candidates: [{ ...exact, nearness: 0.95 }], model: { id: 'another' } }
  const all = rankNotes(TERMS, { query: 'price' }, [other, { candidates: [near], model: MODEL }])
  expect(all.find(({ id }) => id === 'near')?.factors?.meaning).toBe(alone?.factors?.meaning)
})
