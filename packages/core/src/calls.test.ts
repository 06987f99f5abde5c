import { expect, it } from 'vitest'
import { Calls, type EndedCall, type LoggedCall, type Tally } from './calls.ts'
import { Result } from './result.ts'
import { PAGE_CLIENT } from './tool.ts'

const ada = { user: 'ada', role: 'member', project: '/p' } as const
const call = (more: Partial<EndedCall> = {}): EndedCall => ({
  at: new Date('2026-02-03T10:20:30Z'),
  tool: 'read_file',
  args: {},
  caller: ada,
  ms: 3,
  text: '{}',
  result: Result.ok({}),
  holdsFiles: false,
  ...more,
})

/** A store that fails until it is told not to. */
function keptCalls(isAway = () => false) {
  const rows: LoggedCall[] = []
  const tallies: Tally[] = []
  const calls = new Calls({
    async add(more, counts) {
      if (isAway()) throw new Error('away')
      rows.push(...more)
      tallies.push(...counts)
    },
    tallies: async () => tallies,
    latest: async () => rows,
    figures: async () => [],
    forgetWords: async () => {},
  })
  return { calls, rows, tallies }
}

it('counts what the page calls apart, and lets it change no figure of the agents', async () => {
  const { calls } = keptCalls()
  const byPage = { ...ada, client: PAGE_CLIENT }
  calls.record(call())
  calls.record(call({ caller: byPage, ms: 9_000 }))
  calls.record(call({ caller: byPage, result: Result.failure('gone', 'not_found') }))
  const [stats] = await calls.stats()
  expect(stats).toMatchObject({ calls: 1, successRate: 1, pageCalls: 2, errors: {} })
  expect(stats?.p99Ms).toBeLessThan(10)
})

it('stores and counts every call once, also where the store was away at first', async () => {
  let isAway = true
  const { calls, rows, tallies } = keptCalls(() => isAway)
  calls.record(call())
  await expect(calls.flush()).rejects.toThrow('away')
  calls.record(call({ result: Result.failure('gone', 'not_found') }))
  isAway = false
  await calls.flush()
  await calls.flush()
  expect(rows.map(({ at, error }) => [at, error])).toEqual([
    ['2026-02-03T10:20:30.000Z', undefined],
    ['2026-02-03T10:20:30.000Z', 'not_found'],
  ])
  const counts = tallies.map(({ hour, key, count }) => [hour, key.split(':')[0], count])
  expect(counts.sort()).toEqual([
    ['2026-02-03T10', 'bucket', 2],
    ['2026-02-03T10', 'error', 1],
    ['2026-02-03T10', 'ok', 1],
  ])
})
