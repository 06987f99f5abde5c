import { expect, it } from 'vitest'
import { Metrics, type Tally } from './metrics.ts'

it('counts what the page calls apart, and lets it change no figure of the agents', async () => {
  const kept: Tally[] = []
  const metrics = new Metrics({
    add: async (tallies) => void kept.push(...tallies),
    since: async () => kept,
  })
  metrics.record({ tool: 'read_file', user: 'ada', ms: 3 })
  metrics.record({ tool: 'read_file', user: 'ada', ms: 9_000, byPage: true })
  metrics.record({
    tool: 'read_file',
    user: 'ada',
    ms: 9_000,
    errorType: 'not_found',
    byPage: true,
  })
  const [stats] = await metrics.stats()
  expect(stats).toMatchObject({ calls: 1, successRate: 1, pageCalls: 2, errors: {} })
  expect(stats?.p99Ms).toBeLessThan(10)
})
