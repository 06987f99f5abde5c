import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { databaseHealth } from './database-health.ts'
import { sqliteDatabase } from './open-database.ts'

describe('the health of the database', () => {
  it('is tried by a write, which leaves nothing behind', async () => {
    const path = join(temporaryFolder(), 'secretary.db')
    const database = sqliteDatabase(path)
    onTestFinished(() => database.close())
    const check = databaseHealth(database, path)
    expect(await check.run()).toMatchObject({ state: 'ok' })
    const { rows } = await database.use((db) =>
      sql`select 1 from secretary_migrations where name = 'health check'`.execute(db),
    )
    expect(rows).toEqual([])
    await database.use((db) => sql`pragma query_only = on`.execute(db))
    expect(await check.run()).toMatchObject({
      state: 'failing',
      detail: expect.stringContaining('cannot be written'),
    })
  })
})
