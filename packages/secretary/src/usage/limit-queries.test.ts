import { createLimits } from '@secretary-mcp/core/limits.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { engines, openFresh } from '../../../../test/support/engines.ts'
import { createLimitQueries } from './limit-queries.ts'

const HOURS = 3_600_000

describe.each(engines)('calls a minute, counted on $name', (engine) => {
  it('are refused past their number for a minute at most, and not for hours after the clock was set back', async () => {
    const database = await openFresh(engine)
    onTestFinished(() => database.close())
    const limits = createLimits(
      engine.name === 'postgres' ? createLimitQueries(database) : undefined,
    )
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOURS })
    onTestFinished(() => void vi.useRealTimers())
    const take = () => limits.take('grep_codebase', 2, 'ada')
    expect([await take(), await take()]).toEqual([undefined, undefined])
    const refused = await take()
    expect(refused?.retryAfterMs).toBeGreaterThan(0)
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(60_000)
    vi.setSystemTime(Date.now() - 2 * HOURS)
    expect([await take(), await take()]).toEqual([undefined, undefined])
    expect((await take())?.retryAfterMs).toBeLessThanOrEqual(60_000)
  })
})
