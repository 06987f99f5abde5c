import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineFor } from '../../../../test/support/search-engine-house.ts'

interface AskedNote {
  readonly note: string
  readonly russian: string
  readonly mixed: string
}

const ASKED = JSON.parse(
  readFileSync(
    new URL('../../../../test/data/notes-in-two-languages.json', import.meta.url),
    'utf8',
  ),
) as AskedNote[]

/** The mean of one divided by the place of the right note. */
describe('forty notes, half of them Russian and half English', () => {
  it.each(['russian', 'mixed'] as const)('answer %s questions', async (kind) => {
    const { engine } = await engineFor({ files: {} })
    await engine.putNotes(
      ASKED.map(({ note }, nth) => ({
        id: `note ${nth}`,
        source: 'discovery',
        content: note,
        date: '2026-01-01T00:00:00.000Z',
      })),
    )
    let sum = 0
    for (const [nth, { [kind]: query }] of ASKED.entries()) {
      const { results } = await engine.search({ query, limit: 20 })
      const place = results.findIndex(({ id }) => id === `note ${nth}`) + 1
      sum += place > 0 ? 1 / place : 0
    }
    expect(ASKED).toHaveLength(40)
    expect(sum / ASKED.length).toBeGreaterThanOrEqual(0.75)
  })
})
