import { expect, it } from 'vitest'
import { dialogsUnderTest, line, noSignal } from '../../../../test/support/dialogs-service.ts'

it('searches and feeds the requests of every dialog, however many there are', async () => {
  const { home, dialogs, caller } = dialogsUnderTest()
  const many = 1_100
  for (let n = 0; n < many; n++)
    home.claude(
      `${n}.jsonl`,
      line(n === 0 ? 'the oldest zebra' : `request ${n}`, {
        cwd: home.project,
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
      }),
    )
  await dialogs.index.refresh(60_000)
  const { value } = await dialogs.searchRequests(caller, { query: 'zebra', limit: 5 }, noSignal)
  expect(value?.results.map(({ sessionId }) => sessionId)).toEqual(['0'])
  const asked = { query: 'zebra', limit: 5 }
  const { results } = await dialogs.searchBrowsed(caller, asked, noSignal)
  expect(results.map(({ sessionId }) => sessionId)).toEqual(['0'])
  const fed: string[] = []
  for await (const turn of dialogs.turnsOfProject(caller, 0, noSignal)) fed.push(turn.sessionId)
  expect(fed).toEqual(Array.from({ length: many }, (_, n) => String(n)))
})
