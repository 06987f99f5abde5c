import type { CallStore, LoggedCall } from '@secretary-mcp/core/calls.ts'
import { createLimits } from '@secretary-mcp/core/limits.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { engines, openFresh } from '../../../../test/support/engines.ts'
import type { Database } from '../storage/database.ts'
import { createCallStore, createLimitQueries } from './call-store.ts'

const call = (more: Partial<LoggedCall> = {}): LoggedCall => ({
  at: '2026-02-03T10:00:00.000Z',
  user: 'ada',
  agent: 'codex',
  project: '/p',
  tool: 'list_tasks',
  ms: 10,
  tokens: 100,
  arguments: '{}',
  byPage: false,
  ...more,
})

describe.each(engines)('the log of calls on $name', (engine) => {
  let database: Database
  let log: CallStore

  beforeAll(async () => {
    database = await openFresh(engine)
    log = createCallStore(database)
  })
  afterAll(() => database.close())

  it('keeps the last calls, the latest first, and tells them apart', async () => {
    await log.add(
      [
        call({ session: 's1' }),
        call({ tool: 'read_file', error: 'not_found', answer: '{"error":1}' }),
        call({ byPage: true, agent: 'secretary-page' }),
      ],
      [],
    )
    const all = await log.latest({ limit: 10 })
    expect(all.map(({ byPage }) => byPage)).toEqual([true, false, false])
    expect((await log.latest({ byPage: false, failed: true, limit: 10 })).length).toBe(1)
    expect((await log.latest({ session: 's1', limit: 10 }))[0]).toEqual(call({ session: 's1' }))
    expect(await log.latest({ user: 'bob', limit: 10 })).toEqual([])
  })

  it('sums what agents called for each day, agent, tool and project', async () => {
    await log.add(
      [call({ ms: 30 }), call({ agent: 'pi', project: '/q', at: '2026-02-04T01:00' })],
      [],
    )
    expect(await log.figures('agent', '2026-02-01')).toEqual([
      { name: 'codex', calls: 3, failed: 1, tokens: 300, ms: 16.67 },
      { name: 'pi', calls: 1, failed: 0, tokens: 100, ms: 10 },
    ])
    expect((await log.figures('day', '2026-02-01')).map(({ name }) => name)).toEqual([
      '2026-02-03',
      '2026-02-04',
    ])
    expect(await log.figures('project', '2026-02-04')).toMatchObject([{ name: '/q', calls: 1 }])
    expect(await log.figures('tool', '2026-02-01', 'bob')).toEqual([])
  })

  it('adds up the tallies of many processes', async () => {
    const one = createCallStore(database, 'one')
    const other = createCallStore(database, 'other')
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n < 7 ? one : other).add(
          [],
          [{ tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', count: 3 }],
        ),
      ),
    )
    const all = await log.tallies('2026-01-01T00')
    expect(all.sort((a, b) => b.count - a.count)).toEqual([
      { tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', replica: 'one', count: 21 },
      { tool: 'x', user: 'ada', hour: '2026-01-01T00', key: 'ok', replica: 'other', count: 9 },
    ])
    expect(await log.tallies('2026-01-01T00', { replica: 'other' })).toHaveLength(1)
    expect(await log.tallies('2026-01-01T00', { user: 'bob' })).toEqual([])
    expect(await log.tallies('2026-01-01T01')).toEqual([])
  })
})

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
