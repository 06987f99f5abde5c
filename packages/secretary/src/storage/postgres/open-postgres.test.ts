import { setTimeout as wait } from 'node:timers/promises'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../../../../../test/support/engines.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { openDatabase } from '../open-database.ts'

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

it('a connection starts no further processes and compiles nothing for statements that take milliseconds', async () => {
  const database = openDatabase({ home: '', databaseUrl: await freshPostgres() }, silentLog)
  onTestFinished(() => database.close())
  const { rows } = await database.use((db) =>
    sql`select current_setting('max_parallel_workers_per_gather') as workers, current_setting('jit') as jit`.execute(
      db,
    ),
  )
  expect(rows).toEqual([{ workers: '0', jit: 'off' }])
})

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
})
