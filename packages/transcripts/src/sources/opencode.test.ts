import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import { dialogsUnderTest, requestsNow } from '../../../../test/support/dialogs-service.ts'

describe('D12 what was typed in opencode', () => {
  const rows = (fill: (db: InstanceType<typeof DatabaseSync>, message: string) => void) => {
    const under = dialogsUnderTest()
    const db = new DatabaseSync(under.home.opencode())
    db.exec('alter table session add column revert text')
    const last = db
      .prepare(
        "select id from message where data like '%\"user\"%' and session_id = 'ses_1' order by id desc limit 1",
      )
      .get() as { id: string }
    fill(db, last.id)
    db.close()
    return requestsNow(under, 'ses_1')
  }

  it('does not count once it is undone', async () => {
    const undo = "update session set revert = ?, time_updated = time_updated + 1 where id = 'ses_1'"
    expect(
      await rows((db, messageID) => db.prepare(undo).run(JSON.stringify({ messageID }))),
    ).toEqual(['Cache the answers'])
    expect(
      await rows((db, messageID) =>
        db.prepare(undo).run(JSON.stringify({ messageID, partID: 'prt_9' })),
      ),
    ).toEqual(['Cache the answers', 'For an hour only'])
  })

  it('counts as a command where that is all that is left of it', async () => {
    expect(
      await rows((db) => {
        const data = JSON.stringify({ role: 'user' })
        const part = JSON.stringify({ type: 'subtask', command: 'review', prompt: 'You review.' })
        db.prepare("insert into message values ('msg_9', 'ses_1', 9999999999999, ?)").run(data)
        db.prepare("insert into part values ('prt_9', 'msg_9', 'ses_1', 1, ?)").run(part)
      }),
    ).toEqual(['Cache the answers', 'For an hour only', '/review'])
  })

  it('does not count once it is undone in the older files', async () => {
    const under = dialogsUnderTest()
    under.home.opencodeFiles()
    expect(await requestsNow(under, 'ses_old')).toEqual(['Count the words'])
    const files = JSON.parse(under.home.sample('opencode/files.json')) as Record<string, object>
    const path = Object.keys(files).find((name) => name.startsWith('session/')) ?? ''
    const message = Object.keys(files).find((name) => name.startsWith('message/')) ?? ''
    const { id } = files[message] as { id: string }
    under.home.write(
      under.home.path('.local', 'share', 'opencode', 'storage', path),
      JSON.stringify({ ...files[path], revert: { messageID: id } }),
    )
    expect(await requestsNow(under, 'ses_old')).toEqual([])
  })
})

describe('what was done in opencode', () => {
  it('is seen when it is added to the last message, which leaves no mark on the session', async () => {
    const house = deedsHouse()
    const db = new DatabaseSync(house.home.opencode())
    db.exec('alter table message add column time_updated integer')
    db.exec('update message set time_updated = time_created')
    expect(await house.deedsOf('ses_1')).not.toContain('interrupt')
    const last = "select id from message where session_id = 'ses_1' order by time_created desc"
    const data = { role: 'assistant', error: { name: 'MessageAbortedError' } }
    db.prepare(
      `update message set data = ?, time_updated = 9999999999999 where id = (${last})`,
    ).run(JSON.stringify(data))
    expect((await house.deedsOf('ses_1')).at(-1)).toBe('interrupt')
    db.close()
  })
})
