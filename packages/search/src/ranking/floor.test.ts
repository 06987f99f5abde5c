import { describe, expect, it } from 'vitest'
import { engineFor } from '../../../../test/support/search-engine-house.ts'
import { isNoteWorthShowing, isWorthShowing } from './rank-notes.ts'

describe('a query without a real match', () => {
  it.each(['zzzqqq', '日本語', 'qwerty asdf zxcv', 'приготовить борщ', 'photosynthesis of plants'])(
    '%s finds nothing in code',
    async (query) => {
      const { engine } = await engineFor()
      await engine.index()
      expect(await engine.search({ query, limit: 20 })).toMatchObject({
        results: [],
        totalFound: 0,
      })
    },
  )

  it('finds nothing among notes', async () => {
    const { engine } = await engineFor({ files: {} })
    const note = { source: 'discovery', type: 'rule', date: '2026-01-01T00:00:00.000Z' } as const
    await engine.putNotes([
      { ...note, id: 'a', content: 'Sessions are kept in Redis because workers share them' },
      { ...note, id: 'b', content: 'Every list has a limit' },
    ])
    expect((await engine.search({ query: 'zzzqqq frobnitz' })).results).toEqual([])
    expect((await engine.search({ query: 'where are sessions kept' })).results[0]?.id).toBe('a')
  })

  it('is told from one that is answered in other words', async () => {
    const { engine } = await engineFor()
    await engine.index()
    const { results } = await engine.search({ query: 'check the credentials of somebody' })
    expect(results[0]?.file).toBe('src/auth/login.ts')
  })
})

describe('the floor', () => {
  it('keeps what shares words, unless they are few and chance', () => {
    expect(isWorthShowing({ hasWords: true, nearness: 0.05 }, 0.5)).toBe(true)
    expect(isWorthShowing({ hasWords: true, nearness: 0.05 }, 0.1)).toBe(false)
    expect(isWorthShowing({ hasWords: true, nearness: undefined }, 0.1)).toBe(true)
  })

  it('asks for more nearness where nothing of the query is known', () => {
    expect(isWorthShowing({ hasWords: false, nearness: 0.4 }, 0.2)).toBe(true)
    expect(isWorthShowing({ hasWords: false, nearness: 0.4 }, 0)).toBe(false)
    expect(isNoteWorthShowing({ hasWords: false, nearness: 0.2 }, true)).toBe(true)
    expect(isNoteWorthShowing({ hasWords: false, nearness: 0.2 }, false)).toBe(false)
  })
})
