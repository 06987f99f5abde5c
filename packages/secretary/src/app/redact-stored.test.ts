import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, openFresh } from '../../../../test/support/engines.ts'
import type { Database } from '../storage/database.ts'
import { redactStored } from './redact-stored.ts'

// Put together here, so that no scanner takes this file for one that leaks.
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`
/** Packed lines, which look like a secret. */
const PRINTS = 'Zx81QmP0aK3vB7nR2tY9wL4cD6fG'.repeat(2)
const AT = '2026-01-01T00:00:00.000Z'
const never = new AbortController().signal

/** As rows were stored before anything was taken out of them. */
async function fill(database: Database): Promise<void> {
  await database.use(async (db) => {
    for (let n = 0; n < 5; n++)
      await sql`insert into tasks (user_id, title, description, created_at, labels)
        values ('ada', ${`Rotate ${SECRET} ${n}`}, ${SECRET}, ${AT}, ${JSON.stringify([SECRET])})`.execute(
        db,
      )
    await sql`insert into discoveries
      (id, user_id, project, type, content, origin, confidence, created_at, files, said)
      values ('d1', 'ada', '/p', 'rule', ${`Push with ${SECRET}`}, 'recorded', 1, ${AT}, '[]', ${SECRET})`.execute(
      db,
    )
    await sql`insert into conversations (id, user_id, title, created_at, updated_at)
      values ('c1', 'ada', ${SECRET}, ${AT}, ${AT})`.execute(db)
    await sql`insert into messages (conversation_id, sender, content, pending, created_at)
      values ('c1', 'user', ${SECRET}, ${JSON.stringify({ args: { title: SECRET } })}, ${AT})`.execute(
      db,
    )
    await sql`insert into guide_flags (scope, name, value, updated_at)
      values ('*', 'push', ${JSON.stringify(SECRET)}, ${AT})`.execute(db)
    await sql`insert into context_sessions
      (user_id, project, id, started_at, last_active_at, calls, topics, files)
      values ('ada', '/p', 's1', ${AT}, ${AT}, 1, ${JSON.stringify([SECRET])}, '[]')`.execute(db)
    const deed = { kind: 'command', at: 1, place: 0, time: 1, text: `push ${SECRET}` }
    const deeds = JSON.stringify([
      { ...deed, lines: { plus: 1, minus: 0, came: PRINTS, gone: '' } },
    ])
    await sql`insert into shared_requests (space_id, user_id, session_id, position, project, source, asked_at,
      request, answer, files, deeds, shared_at)
      values ('w', 'ada', 's1', 1, 'p', 'codex', ${AT}, ${`Use ${SECRET}`}, ${SECRET}, '', ${deeds}, ${AT})`.execute(
      db,
    )
  })
}

const TABLES = ['tasks', 'discoveries', 'conversations', 'messages', 'guide_flags'] as const

async function dump(database: Database): Promise<string> {
  const rows = await database.use((db) =>
    Promise.all(
      [...TABLES, 'context_sessions', 'shared_requests'].map((name) =>
        sql`select * from ${sql.table(name)}`.execute(db),
      ),
    ),
  )
  return JSON.stringify(rows.map((one) => one.rows))
}

describe.each(engines)(
  'rows that were stored before secrets were taken out, on $name',
  (engine) => {
    const opened = async () => {
      const database = await openFresh(engine)
      onTestFinished(() => database.close())
      return database
    }

    it('have none left, and everything else as it was', async () => {
      const database = await opened()
      await fill(database)
      await redactStored(database, never)
      const text = await dump(database)
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(SECRET.toLowerCase())
      expect(text).toContain('Rotate [redacted:github-token] 4')
      expect(text).toContain('Push with [redacted:github-token]')
      expect(text).toContain('push [redacted:github-token]')
      expect(text).toContain(PRINTS)
    })

    it('are gone on with where it was stopped, and looked at once', async () => {
      const database = await opened()
      await fill(database)
      let uses = 0
      const stop = new AbortController()
      const counted: Database = {
        ...database,
        use(query) {
          if (++uses === 2) stop.abort()
          return database.use(query)
        },
      }
      await redactStored(counted, stop.signal, 2)
      const titles = () =>
        database.use((db) => db.selectFrom('tasks').select('title').orderBy('id').execute())
      expect((await titles()).filter(({ title }) => title.includes(SECRET))).toHaveLength(1)
      // What comes back under a place that was seen shows that it is not looked at again.
      await database.use((db) =>
        sql`update tasks set title = ${SECRET} where id = (select min(id) from tasks)`.execute(db),
      )
      await redactStored(database, never, 2)
      await redactStored(database, never, 2)
      expect((await titles()).filter(({ title }) => title.includes(SECRET))).toHaveLength(1)
      expect((await titles()).at(-1)?.title).toBe('Rotate [redacted:github-token] 4')
    })
  },
)
