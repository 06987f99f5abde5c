import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from '@secretary-mcp/core/failure.ts'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { migrations } from '../migrations/migrations.ts'
import { sqliteDatabase } from '../open-database.ts'
import { MAX_LINE_LENGTH, restoreBackup } from './restore-backup.ts'
import { TABLES } from './write-backup.ts'

const head = (about: object = {}) => ({
  ...{ secretary: 'backup', format: 1, version: '1.0.0', createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ schema: migrations.at(-1)?.name, ...about },
})
const emptyDatabase = () => {
  const database = sqliteDatabase(join(temporaryFolder(), 'secretary.db'))
  onTestFinished(() => database.close())
  return database
}
const backupOf = (lines: readonly unknown[]) => {
  const path = join(temporaryFolder(), 'backup.gz')
  writeFileSync(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  return path
}
const task = { id: 1, user_id: 'ada', title: 'Sweep', created_at: '2026-01-01T00:00:00.000Z' }

describe('restore', () => {
  it('reads rows of one table that have different columns', async () => {
    const database = emptyDatabase()
    const rows = [task, { ...task, id: 2, description: 'the floor' }]
    const lines = [head(), ...rows.map((row) => ['tasks', row]), { rows: 2 }]
    expect(await restoreBackup(database, backupOf(lines))).toBe(2)
    const { tasks } = await createTaskStore(database).list('ada', { limit: 10, offset: 0 })
    expect(tasks).toHaveLength(2)
  })

  it.each([
    ['no object', [['tasks', null]]],
    ['a list', [['tasks', [1]]]],
    ['no columns', [['tasks', {}]]],
    ['a column that the table does not have', [['tasks', { ...task, colour: 'red' }]]],
    ['the name of another table in a column', [['tasks', { ...task, 'tokens.hash': 'x' }]]],
    ['a value that is an object', [['tasks', { ...task, title: { a: 1 } }]]],
    ['a truth value', [['tasks', { ...task, completed: true }]]],
    ['no value where one is required', [['tasks', { ...task, title: null }]]],
    [
      'the key of another row',
      [
        ['tasks', task],
        ['tasks', task],
      ],
    ],
    ['a table that is a word of the language', [['toString', task]]],
    ['a table that is no text', [[{}, task]]],
    ['a third part', [['tasks', task, 1]]],
  ])('refuses a row with %s in words of our own and restores nothing', async (_what, rows) => {
    const database = emptyDatabase()
    const lines = [head(), ...rows, { rows: rows.length }]
    await expect(restoreBackup(database, backupOf(lines))).rejects.toMatchObject({
      errorType: 'backup_damaged',
      message: expect.stringContaining('nothing was restored'),
    })
    const { total } = await createTaskStore(database).list('ada', { limit: 10, offset: 0 })
    expect(total).toBe(0)
  })

  it.each([[null], [7], ['text'], [{}], [{ rows: '1' }]])(
    'refuses %j as the end of a backup',
    async (end) => {
      const lines = [head(), ['tasks', task], end]
      await expect(restoreBackup(emptyDatabase(), backupOf(lines))).rejects.toMatchObject({
        errorType: 'backup_damaged',
      })
    },
  )

  it('fails only with failures of its own, whatever the lines say', async () => {
    const database = emptyDatabase()
    const cell = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.jsonValue())
    const column = fc.constantFrom('id', 'user_id', 'title', 'created_at', 'path', 'nothing', '"')
    const row = fc.oneof(fc.dictionary(column, cell), fc.jsonValue())
    const line = fc.oneof(
      fc.tuple(fc.constantFrom(...TABLES, 'sqlite_master'), row),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
        const path = backupOf([head(), ...lines, { rows: lines.length + 1 }])
        await expect(restoreBackup(database, path)).rejects.toBeInstanceOf(Failure)
      }),
      { numRuns: 60 },
    )
  })

  it('gives up on a line that is longer than any row', async () => {
    const path = join(temporaryFolder(), 'long.gz')
    const long = Buffer.alloc(MAX_LINE_LENGTH + (1 << 20), 'x')
    writeFileSync(path, gzipSync(long, { level: 1 }))
    await expect(restoreBackup(emptyDatabase(), path)).rejects.toMatchObject({
      errorType: 'backup_damaged',
      message: expect.stringContaining('a line of more than 256 MB'),
    })
  })

  it('quotes the version that a backup names', async () => {
    const path = backupOf([head({ version: '1\u001b[2J\nhello', schema: { a: 1 } }), { rows: 0 }])
    await expect(restoreBackup(emptyDatabase(), path)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The backup was made by Secretary 1 hello with another schema \(unknown\)/,
      ),
    })
  })
})
