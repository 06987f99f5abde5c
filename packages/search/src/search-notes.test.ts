import { describe, expect, it } from 'vitest'
import { engineFor } from '../../../test/support/search-engine-house.ts'

describe('searching notes', () => {
  const date = '2026-01-01T00:00:00.000Z'
  const notes = [
    {
      id: 'd1',
      source: 'discovery',
      type: 'decision',
      content: 'We decided to use PostgreSQL for the task store',
      module: 'storage',
      date,
    },
    {
      id: 'd2',
      source: 'discovery',
      type: 'rule',
      content: 'Always validate arguments at the boundary',
      module: 'core',
      date,
    },
    {
      id: 's1',
      source: 'session',
      content: 'And what about the other one?',
      neighbours: 'The retry limit of the mailer is five',
      session: 'x',
      date,
    },
  ] as const

  it('finds discoveries and dialogs beside code, and a turn by the turns around it', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    expect(
      (await engine.search({ query: 'which database did we choose for tasks' })).results[0],
    ).toMatchObject({
      id: 'd1',
      source: 'discovery',
      type: 'decision',
      module: 'storage',
    })
    expect((await engine.search({ query: 'retry limit' })).results[0]).toMatchObject({
      id: 's1',
      source: 'session',
      session: 'x',
    })
    // Nobody has looked at the code yet, so an answer may lack something.
    expect((await engine.search({ query: 'retry limit' })).state).toBe('building')
  })

  it('puts code that answers before a note that shares one word with the query', async () => {
    const { engine } = await engineFor()
    await engine.index()
    await engine.putNotes([
      { id: 'weak', source: 'session', content: 'The user of this machine went for lunch', date },
    ])
    const { results } = await engine.search({ query: 'verify the password of a user who signs in' })
    expect(results[0]).toMatchObject({ source: 'code', file: 'src/auth/login.ts' })
  })

  it('keeps to a type, which only discoveries have, and to a source', async () => {
    const { engine } = await engineFor()
    await engine.index()
    await engine.putNotes(notes)
    const ids = async (request: object) =>
      (await engine.search({ query: 'store arguments mailer', limit: 20, ...request })).results.map(
        ({ id }) => id,
      )
    expect(await ids({ type: 'rule' })).toEqual(['d2'])
    expect(await ids({ sources: ['session'] })).toEqual(['s1'])
    expect((await ids({ sources: ['code'] })).every((id) => id.startsWith('code:'))).toBe(true)
  })

  it('replaces a note of the same id, and forgets a removed one', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    await engine.putNotes([{ ...notes[1], content: 'Never log secrets' }])
    await engine.removeNotes('', ['d1'])
    expect((await engine.status()).notes).toBe(2)
    const { results } = await engine.search({
      query: 'PostgreSQL secrets log arguments',
      sources: ['discovery'],
    })
    expect(results.map(({ content }) => content)).toEqual(['Never log secrets'])
  })

  it('gives the note nearest in meaning its whole share, unless nothing is near', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    const meanings = async (query: string) =>
      (await engine.search({ query, explain: true })).results.map(
        ({ factors }) => factors?.meaning ?? 0,
      )
    expect(Math.max(...(await meanings('which database holds the tasks')))).toBeCloseTo(0.3, 5)
    expect(Math.max(0, ...(await meanings('purple giraffe')))).toBeLessThan(0.29)
  })

  it('prefers, of two equal notes, the fresh one and the one used more', async () => {
    const { engine } = await engineFor()
    const note = {
      source: 'discovery',
      type: 'rule',
      content: 'Tokens are rotated weekly',
      date,
    } as const
    await engine.putNotes([
      { ...note, id: 'old' },
      { ...note, id: 'used', accessCount: 80 },
      { ...note, id: 'new', date: new Date().toISOString(), accessCount: 80 },
    ])
    expect((await engine.search({ query: 'rotated tokens' })).results.map(({ id }) => id)).toEqual([
      'new',
      'used',
      'old',
    ])
  })

  it('finds the note of a scope among many better ones of others, and counts it alone', async () => {
    const { engine } = await engineFor({ files: { 'a.ts': 'export const a = 1\n' } })
    const note = { source: 'discovery', type: 'rule', date } as const
    const others = Array.from({ length: 300 }, (_, n) => ({
      ...note,
      id: `other ${n}`,
      scope: 'bob',
      content: `The heron nests by the northern lake ${n}`,
    }))
    const own = { ...note, id: 'own', scope: 'ada', content: 'A heron was seen once' }
    await engine.putNotes([...others, own])
    const search = (scopes?: string[]) =>
      engine.search({ query: 'heron northern lake', scopes, sources: ['discovery'] })
    expect(await search(['ada'])).toMatchObject({ results: [{ id: 'own' }], totalFound: 1 })
    expect((await search(['bob'])).results).toHaveLength(5)
    expect((await search()).results).toEqual([])
  })

  it('keeps the place and the vector of a note that is put again unchanged', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    const before = (await engine.search({ query: 'retry limit' })).results[0]
    await engine.putNotes(notes.map((note) => ({ ...note, accessCount: 7 })))
    expect((await engine.search({ query: 'retry limit' })).results[0]).toMatchObject({
      id: before?.id,
    })
    expect((await engine.status()).notes).toBe(notes.length)
  })
})
