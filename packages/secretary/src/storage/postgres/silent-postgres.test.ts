import { silentLog } from '@secretary-mcp/core/log.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../../../../../test/support/engines.ts'
import { swallowingProxy } from '../../../../../test/support/swallowing-proxy.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { type DatabaseOptions, openDatabase } from '../open-database.ts'

const now = '2026-01-01T00:00:00.000Z'
const task = { title: 'x', completed: false }
const SHORT = { queryMs: 400, connectMs: 400, closeMs: 200 }

async function behindProxy(options: DatabaseOptions = SHORT) {
  const url = await freshPostgres()
  const proxy = await swallowingProxy(url)
  const database = openDatabase({ home: '', databaseUrl: proxy.url }, silentLog, options)
  onTestFinished(async () => {
    await database.close()
    await proxy.close()
  })
  const store = createTaskStore(database)
  await store.add('ada', task, now)
  return { url, proxy, database, store }
}

async function msOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work.catch(() => {})
  return performance.now() - began
}

describe('PostgreSQL that goes silent', () => {
  it('costs a call its time limit, and the next one gets another connection', async () => {
    const { proxy, store } = await behindProxy()
    proxy.swallow()
    await expect(store.list('ada', { limit: 10, offset: 0 })).rejects.toMatchObject({
      errorType: 'storage_unavailable',
    })
    proxy.serve()
    expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(1)
  })

  it('ends a transaction once, not once for every statement and the rollback', async () => {
    const { proxy, database, store } = await behindProxy()
    const work = database.use((db) =>
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        proxy.swallow()
        await sql`select 2`.execute(trx)
      }),
    )
    expect(await msOf(work)).toBeLessThan(2 * SHORT.queryMs)
    await expect(work).rejects.toMatchObject({ errorType: 'storage_unavailable' })
    proxy.serve()
    await store.add('ada', task, now)
  })

  it('is closed all the same, with a query under way', async () => {
    const { proxy, database, store } = await behindProxy({ ...SHORT, queryMs: 60_000 })
    proxy.swallow()
    const lost = store.list('ada', { limit: 10, offset: 0 })
    lost.catch(() => {})
    expect(await msOf(database.close())).toBeLessThan(30_000)
    await expect(lost).rejects.toMatchObject({ errorType: 'storage_unavailable' })
  })
})

describe('the number of connections', () => {
  it('is two at most unless more are asked for', async () => {
    const { proxy, store } = await behindProxy({})
    await Promise.all(Array.from({ length: 30 }, () => store.add('ada', task, now)))
    expect(proxy.open()).toBe(2)
  })

  it('at the limit of the server makes calls wait, not fail', async () => {
    const admin = new URL(await freshPostgres())
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    const role = `r${admin.pathname.slice(1)}`
    await client.query(`create role ${role} superuser login connection limit 3`)
    await client.query(`alter role ${role} nosuperuser`)
    await client.query(`grant all on database ${admin.pathname.slice(1)} to ${role}`)
    await client.query(`grant all on schema public to ${role}`)
    await client.end()
    admin.username = role
    const servers = Array.from({ length: 8 }, () =>
      openDatabase({ home: '', databaseUrl: admin.href }, silentLog),
    )
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
    const added = servers.map((server) => createTaskStore(server).add('ada', task, now))
    expect((await Promise.all(added)).length).toBe(8)
  }, 40_000)
})
