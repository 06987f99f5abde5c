import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../../../test/support/engines.ts'
import { silentLog } from '../../core/log.ts'
import { openDatabase } from '../open-database.ts'
import { createTaskStore } from '../stores/task-store.ts'
import { openPool } from './open-pool.ts'
import { indexConnection } from './search-index/connection.ts'

const now = '2026-01-01T00:00:00.000Z'
const LONG_ENOUGH_MS = 100

/** As a restart of the server does, or a load balancer that tidies up. */
async function dropConnections(url: string): Promise<void> {
  const killer = new pg.Client({ connectionString: url })
  await killer.connect()
  await killer.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await killer.end()
  await wait(LONG_ENOUGH_MS)
}

describe('a connection to PostgreSQL that is lost', () => {
  it('between the statements of a transaction fails that transaction and nothing else', async () => {
    const url = await freshPostgres()
    const database = openDatabase({ home: '', databaseUrl: url }, silentLog)
    onTestFinished(() => database.close())
    const work = database.use((db) =>
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        await dropConnections(url)
        await sql`select 1`.execute(trx)
      }),
    )
    await expect(work).rejects.toMatchObject({ errorType: 'storage_unavailable' })
    expect(
      (await createTaskStore(database).add('ada', { title: 'x', completed: false }, now)).id,
    ).toBe(1)
  })

  it('fails a write of the search index in our own words, and the next one works', async () => {
    const url = await freshPostgres()
    const pool = openPool({ connectionString: url, max: 2 }, silentLog)
    onTestFinished(() => pool.end())
    const connection = indexConnection(pool, 'p')
    await connection.run(
      'create table search_meta (project text, key text, value text, primary key (project, key))',
    )
    const work = connection.write(async (run) => {
      await run('select 1')
      await dropConnections(url)
      await run('select 1')
    })
    await expect(work).rejects.toMatchObject({ errorType: 'storage_unavailable' })
    await connection.write(async (run) => void (await run('select 1')))
    expect(await connection.run('select value from search_meta')).toEqual([{ value: '1' }])
  })
})
