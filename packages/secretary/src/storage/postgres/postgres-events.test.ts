import type { ReplicaEvent } from '@secretary-mcp/core/changes.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it } from 'vitest'
import { freshPostgres } from '../../../../../test/support/engines.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresEvents } from './postgres-events.ts'

async function opened() {
  const url = await freshPostgres()
  const database = openDatabase({ home: '/nowhere', databaseUrl: url }, silentLog)
  const here = createPostgresEvents(database, url, silentLog)
  const there = createPostgresEvents(database, url, silentLog)
  const heard: ReplicaEvent[] = []
  const following = there.follow((event) => heard.push(event))
  const close = async () => {
    await following.close()
    await database.close()
  }
  return { database, here, there, heard, close }
}

describe('events between the servers on one database', () => {
  it('reach the others, and not the one who told them', async () => {
    const { here, there, heard, close } = await opened()
    const event: ReplicaEvent = { kind: 'chat', user: 'ada' }
    await expect
      .poll(() => {
        here.publish(event)
        return heard
      })
      .toContainEqual(event)
    const before = heard.length
    there.publish({ kind: 'chat', user: 'nobody' })
    await expect
      .poll(() => {
        here.publish(event)
        return heard.length
      })
      .toBeGreaterThan(before)
    expect(heard).not.toContainEqual({ kind: 'chat', user: 'nobody' })
    await close()
  })

  it('say that something was missed when the connection was lost, or the event is too large', async () => {
    const { database, here, heard, close } = await opened()
    const long = { kind: 'resource' as const, uri: `guide://${'a'.repeat(9_000)}` }
    await expect
      .poll(() => {
        here.publish({ kind: 'change', change: long })
        return heard
      })
      .toContainEqual({ kind: 'missed' })
    heard.length = 0
    await database.use(async (db) => {
      const { sql } = await import('kysely')
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query = 'listen secretary_events'`.execute(db)
    })
    await expect.poll(() => heard).toContainEqual({ kind: 'missed' })
    await close()
  })
})
