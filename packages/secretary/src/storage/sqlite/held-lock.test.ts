import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { openSqliteIndexStore } from '@secretary-mcp/search/index/sqlite-index-store.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdLock } from '../../../../../test/support/lock-holder.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { sqliteDeedStore } from '../../dialogs/deeds/store/sqlite-deed-store.ts'
import { sqliteKeptStore } from '../../dialogs/keeping/store/sqlite-kept-store.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { sqliteDatabase } from '../open-database.ts'

const task = { title: 'x', completed: false }
const now = '2026-01-01T00:00:00.000Z'
const HELD_MS = 1_000
const newFile = () => join(temporaryFolder(), 'secretary.db')

/** The longest time for which nothing else could run in this process while the work went on. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work
  clearInterval(timer)
  return longest
}

describe('a lock that another process holds', () => {
  it('makes writes wait and succeed, while reads and everything else go on', async () => {
    const path = newFile()
    const database = sqliteDatabase(path)
    onTestFinished(() => database.close())
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    const holder = await holdLock(path)
    const writes = Array.from({ length: 5 }, () => store.add('ada', task, now))
    const transaction = database.use((db) =>
      db
        .transaction()
        .execute((trx) =>
          trx.insertInto('tasks').values({ user_id: 'ada', title: 't', created_at: now }).execute(),
        ),
    )
    const reads = async () => {
      for (const until = Date.now() + HELD_MS; Date.now() < until; await wait(20))
        expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(1)
    }
    expect(await longestStall(reads())).toBeLessThan(HELD_MS / 2)
    await holder.letGo()
    await Promise.all([...writes, transaction])
    expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(7)
  })

  it('is told when it lasts too long', async () => {
    const path = newFile()
    const database = sqliteDatabase(path, { busyWaitMs: 200 })
    onTestFinished(() => database.close())
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    const holder = await holdLock(path)
    await expect(store.add('ada', task, now)).rejects.toMatchObject({
      errorType: 'storage_busy',
      message: 'The database is busy; try again in a moment',
    })
    await holder.letGo()
    await store.add('ada', task, now)
  })

  it('on the search index stalls nobody, and the index is not taken for damaged', async () => {
    const path = join(temporaryFolder(), 'index.db')
    const first = await openSqliteIndexStore(path, silentLog)
    await first.setMark('kept', 'yes')
    const holder = await holdLock(path)
    const work = Promise.all([
      first.setMark('written', 'late'),
      openSqliteIndexStore(path, silentLog),
      wait(HELD_MS).then(() => holder.letGo()),
    ])
    expect(await longestStall(work)).toBeLessThan(HELD_MS / 2)
    const [, second] = await work
    expect(await second.mark('kept')).toBe('yes')
    expect(await second.mark('written')).toBe('late')
    await first.close()
    await second.close()
  })

  it('on the deeds and the kept dialogs stalls nobody, and neither is taken for damaged', async () => {
    const folder = temporaryFolder()
    const deeds = join(folder, 'deeds.db')
    const kept = join(folder, 'kept.db')
    const first = sqliteDeedStore(deeds, silentLog)
    await first.save([
      { key: 'a', sessionId: 'a', source: 'codex', project: '/p', deeds: [], isWhole: true },
    ])
    const keptFirst = sqliteKeptStore(kept, silentLog)
    await keptFirst.removeBefore(0)
    const holders = [await holdLock(deeds), await holdLock(kept)]
    const second = sqliteDeedStore(deeds, silentLog)
    const keptSecond = sqliteKeptStore(kept, silentLog)
    const work = Promise.all([
      first.save([
        { key: 'b', sessionId: 'b', source: 'codex', project: '/p', deeds: [], isWhole: true },
      ]),
      second.known(),
      keptFirst.forget([]),
      keptSecond.stamps(),
      wait(HELD_MS).then(() => Promise.all(holders.map((holder) => holder.letGo()))),
    ])
    expect(await longestStall(work)).toBeLessThan(HELD_MS / 2)
    await work
    expect(await second.known()).toEqual(new Set(['a', 'b']))
    await Promise.all([first.close(), second.close(), keptFirst.close(), keptSecond.close()])
  })
})
