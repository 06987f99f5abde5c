import { describe, expect, it } from 'vitest'
import { KnownNotes } from './discoveries.ts'

const owner = { user: 'ada', project: '/p' }

describe('KnownNotes', () => {
  it('reads a note once, however many are compared with it', async () => {
    const stored = [
      { id: 'a', content: 'Sessions expire after five minutes', date: '2026-01-01' },
      { id: 'b', content: 'Prices are kept in cents', date: '2026-01-02' },
    ]
    const asked: string[] = []
    const notes = new KnownNotes({
      addedSince: async (_owner, _type, date) => {
        asked.push(date)
        return stored.filter((note) => note.date >= date)
      },
    })
    const find = (content: string) => notes.findLike(owner, 'rule', content, '2026-02-01')
    expect(await find('Prices are kept in euros')).toBe('b')
    expect(await find('Names are kept in Latin script')).toBeUndefined()
    stored.push({ id: 'c', content: 'Names are kept in Latin script', date: '2026-01-03' })
    expect(await find('Names are kept in Latin script')).toBe('c')
    expect(await find('Sessions expire after ten minutes')).toBe('a')
    expect(asked).toEqual(['', '2026-01-02', '2026-01-02', '2026-01-03'])
  })
})
