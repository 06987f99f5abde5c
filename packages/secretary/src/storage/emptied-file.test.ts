import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'
import { databaseHealth } from './database-health.ts'
import { openDatabase } from './open-database.ts'

const task = { title: 'x', completed: false }
const now = '2026-01-01T00:00:00.000Z'

describe('a database file of length zero', () => {
  it('is not taken for a new one without a word, and its log is kept', async () => {
    const home = temporaryFolder()
    const path = join(home, 'secretary.db')
    const lines: string[] = []
    const log = createLog('warn', (line) => lines.push(line))
    writeFileSync(path, '')
    writeFileSync(`${path}-wal`, 'all that was written')
    const after = openDatabase({ home }, log)
    await createTaskStore(after).add('ada', task, now)
    expect(lines.join()).toContain('the database file was empty')
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('.empty-'))
    expect(kept).toEqual([expect.stringMatching(/^secretary\.db\.empty-.*-wal$/)])
    expect(await databaseHealth(after, path).run()).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('found empty'),
      fix: expect.stringContaining(kept[0] ?? 'nothing'),
    })
    await after.close()
  })

  it('is nothing to tell of where many create it at once', async () => {
    const home = temporaryFolder()
    const lines: string[] = []
    const log = createLog('warn', (line) => lines.push(line))
    const databases = Array.from({ length: 6 }, () => openDatabase({ home }, log))
    await Promise.all(databases.map((one) => createTaskStore(one).add('ada', task, now)))
    expect(lines).toEqual([])
    await Promise.all(databases.map((one) => one.close()))
  })
})
