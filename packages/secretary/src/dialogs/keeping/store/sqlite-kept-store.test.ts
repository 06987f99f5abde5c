import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import { sqliteKeptStore } from './sqlite-kept-store.ts'

it('reads go on where its file cannot be opened, but nothing is said to be forgotten', async () => {
  const path = join(temporaryFolder(), 'kept.db')
  mkdirSync(path)
  const store = sqliteKeptStore(path, silentLog)
  onTestFinished(() => store.close())
  expect(await store.stamps()).toEqual(new Map())
  await expect(store.forget([{ key: 'a', source: 'codex', sessionId: 'a' }])).rejects.toMatchObject(
    { errorType: 'storage_unavailable' },
  )
})
