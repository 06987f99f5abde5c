import { describe, expect, it, onTestFinished } from 'vitest'
import { openFreshSqlite } from '../../../../../test/support/engines.ts'
import type { IndexedDialog } from '../../dialogs/dialog-store.ts'
import { createDialogStore } from '../../dialogs/store/dialog-store.ts'
import { dialogsReadAgain } from './dialogs.ts'

const dialog = (key: string): IndexedDialog => ({
  key,
  sessionId: key,
  source: 'claude-code',
  firstSeen: 1,
  lastSeen: 1,
  requestsCount: 1,
  status: 'completed',
  chatJsonPath: `/${key}`,
  size: 10,
  mtimeMs: 1,
  reading: { sessionId: key, status: 'completed', marks: [], offset: 10, seam: 'x' },
})

describe('an index that older readers filled', () => {
  it('is filled anew from the files that are there; what is gone stays known', async () => {
    const database = openFreshSqlite()
    onTestFinished(() => database.close())
    const store = createDialogStore(database, 'ada@here')
    await store.save([dialog('there'), dialog('gone')])
    await store.markGone(['gone'])
    await database.use((db) => dialogsReadAgain.up(db, 'sqlite'))
    expect((await store.stamps()).get('there')).toMatchObject({ size: -1 })
    expect(await store.findReading('there')).toMatchObject({ offset: 0, marks: [] })
    expect((await store.stamps()).get('gone')).toMatchObject({ size: 10, gone: true })
  })
})
