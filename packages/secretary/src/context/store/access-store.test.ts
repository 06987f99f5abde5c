import { silentLog } from '@secretary-mcp/core/log.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import type { Database } from '../../storage/database.ts'
import { AccessLog, accessScore, createAccessStore } from '../access/access.ts'

const DAY_MS = 86_400_000

describe('accessScore', () => {
  it.each([
    [1, 0, 0.604],
    [100, 0, 1],
    [1000, 0, 1],
    [50, 15, 0.5],
    [0, 30, 0],
    [10, 300, 0.04],
  ])('C5 of %i accesses, the last %i days ago, is %f', (count, days, score) => {
    expect(accessScore(count, 0, days * DAY_MS)).toBeCloseTo(score, 6)
  })
})

for (const engine of engines) {
  describe(`access store on ${engine.name}`, () => {
    let database: Database | undefined
    afterEach(() => database?.close())
    const owner = { user: 'ada', project: '/p' }

    it('C5 adds up counts, keeps the last access and ranks by score as of now', async () => {
      database = await openFresh(engine)
      const store = createAccessStore(database)
      await store.addAccesses(owner, new Map([['often.ts', 60]]), '2026-01-01T00:00:00.000Z')
      await store.addAccesses(
        owner,
        new Map([
          ['often.ts', 20],
          ['new.ts', 1],
        ]),
        '2026-01-02T00:00:00.000Z',
      )
      await store.addAccesses(
        { ...owner, user: 'bob' },
        new Map([['bob.ts', 1]]),
        '2026-01-02T00:00:00.000Z',
      )
      const { files, total } = await store.topFiles(owner, 10, '2026-01-02T00:00:00.000Z')
      expect(total).toBe(2)
      expect(files).toEqual([
        {
          path: 'often.ts',
          count: 80,
          firstAccessAt: '2026-01-01T00:00:00.000Z',
          lastAccessAt: '2026-01-02T00:00:00.000Z',
          score: expect.closeTo(0.92, 5),
        },
        expect.objectContaining({ path: 'new.ts', score: expect.closeTo(0.604, 5) }),
      ])
      const [later] = (await store.topFiles(owner, 1, '2026-02-02T00:00:00.000Z')).files
      expect(later?.score).toBeCloseTo(0.32, 5)
    })

    it('keeps sessions, one after thirty idle minutes being another', async () => {
      database = await openFresh(engine)
      const store = createAccessStore(database)
      let now = new Date('2026-01-01T00:00:00.000Z')
      const log = new AccessLog(store, silentLog, () => now)
      log.record(owner, { file: 'a.ts' })
      log.record(owner, { file: 'a.ts' })
      log.record(owner, { topic: 'how tokens work' })
      await log.flush()
      now = new Date('2026-01-01T01:00:00.000Z')
      log.record(owner, { file: 'b.ts' })
      await log.close()
      const sessions = await store.recentSessions(owner, 10)
      expect(sessions).toMatchObject([
        { calls: 1, files: [{ path: 'b.ts', count: 1 }], endedAt: '2026-01-01T01:00:00.000Z' },
        { calls: 3, topics: ['how tokens work'], files: [{ path: 'a.ts', count: 2 }] },
      ])
      expect(
        (await store.topFiles(owner, 10, now.toISOString())).files.map(({ path, count }) => [
          path,
          count,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['a.ts', 2],
          ['b.ts', 1],
        ]),
      )
    })

    it('loses no count where the store fails for a while', async () => {
      database = await openFresh(engine)
      const store = createAccessStore(database)
      let isDown = true
      const flaky = {
        ...store,
        addAccesses: (...args: Parameters<typeof store.addAccesses>) =>
          isDown ? Promise.reject(new Error('down')) : store.addAccesses(...args),
      }
      const log = new AccessLog(flaky, silentLog)
      log.record(owner, { file: 'a.ts' })
      await log.flush()
      isDown = false
      log.record(owner, { file: 'a.ts' })
      await log.close()
      expect((await store.topFiles(owner, 1, new Date().toISOString())).files[0]?.count).toBe(2)
    })
  })
}
