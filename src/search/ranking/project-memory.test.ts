import { expect, it } from 'vitest'
import { engineFor } from '../../../test/support/search-engine-house.ts'

it('is filled once by searches that come together', async () => {
  const before = await engineFor()
  await before.engine.index()
  const request = { query: 'send a message with the mailer', limit: 10, explain: true }
  const { results } = await before.engine.search(request)
  const { engine } = await engineFor({ root: before.root, database: before.database })
  const together = await Promise.all([1, 2, 3].map(() => engine.search(request)))
  const later = await engine.search(request)
  for (const answer of [...together, later]) expect(answer.results).toEqual(results)
})
