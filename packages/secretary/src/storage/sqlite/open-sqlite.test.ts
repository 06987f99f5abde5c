import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { createTaskStore } from '../../tasks/store/task-store.ts'
import { sqliteDatabase } from '../open-database.ts'

const task = { title: 'x', completed: false }
const now = '2026-01-01T00:00:00.000Z'
const newFile = () => join(temporaryFolder(), 'secretary.db')

describe('the embedded database under faults', () => {
  it('says that a damaged file is damaged, and leaves it as it is', async () => {
    const path = newFile()
    writeFileSync(path, 'this is no database'.repeat(100))
    const store = createTaskStore(sqliteDatabase(path))
    await expect(store.add('ada', task, now)).rejects.toMatchObject({
      errorType: 'storage_corrupt',
      message: expect.not.stringContaining(path),
    })
    await expect(store.add('ada', task, now)).rejects.toMatchObject({
      errorType: 'storage_corrupt',
    })
  })

  it('says that the disk is full, and goes on when there is room again', async () => {
    const database = sqliteDatabase(newFile())
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    await database.use((db) => sql`pragma max_page_count = 1`.execute(db))
    const big = { title: 'x', description: 'y'.repeat(100_000), completed: false }
    await expect(store.add('ada', big, now)).rejects.toMatchObject({
      errorType: 'storage_full',
      message: 'The disk is full; nothing was saved',
    })
    await database.use((db) => sql`pragma max_page_count = 100000`.execute(db))
    await store.add('ada', big, now)
    expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(2)
    await database.close()
  })

  it('says that it cannot be written, and still reads', async () => {
    const database = sqliteDatabase(newFile())
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    await database.use((db) => sql`pragma query_only = on`.execute(db))
    await expect(store.add('ada', task, now)).rejects.toMatchObject({
      errorType: 'storage_readonly',
    })
    expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(1)
    await database.close()
  })

  it('says that it is busy while somebody else holds the lock, and works after', async () => {
    const path = newFile()
    const database = sqliteDatabase(path, { busyWaitMs: 50 })
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    const other = await openSqliteFile(path)
    other.exec('begin immediate')
    await expect(store.add('ada', task, now)).rejects.toMatchObject({ errorType: 'storage_busy' })
    other.exec('rollback')
    other.close()
    await store.add('ada', task, now)
    await database.close()
  })

  it('is whole in its one file once it was closed', async () => {
    const path = newFile()
    const database = sqliteDatabase(path)
    await createTaskStore(database).add('ada', task, now)
    await database.close()
    const copy = newFile()
    copyFileSync(path, copy)
    const copied = sqliteDatabase(copy)
    expect((await createTaskStore(copied).list('ada', { limit: 10, offset: 0 })).total).toBe(1)
    await copied.close()
  })

  it('goes on in the file that lies there when its own was deleted, so that nothing is written into the void', async () => {
    const path = newFile()
    const database = sqliteDatabase(path)
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    rmSync(dirname(path), { recursive: true })
    await store.add('ada', { ...task, title: 'after' }, now)
    await database.close()
    const later = sqliteDatabase(path)
    const { tasks } = await createTaskStore(later).list('ada', { limit: 10, offset: 0 })
    expect(tasks.map(({ title }) => title)).toEqual(['after'])
    await later.close()
  })

  it('sees a backup that took the place of its file, and lets a transaction in the old one end', async () => {
    const path = newFile()
    const backup = newFile()
    const other = sqliteDatabase(backup)
    await createTaskStore(other).add('ada', { ...task, title: 'from the backup' }, now)
    await other.close()
    const database = sqliteDatabase(path)
    const store = createTaskStore(database)
    await store.add('ada', task, now)
    await database.use((db) =>
      db.transaction().execute(async (trx) => {
        for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
        copyFileSync(backup, path)
        const { tasks } = await store.list('ada', { limit: 10, offset: 0 })
        expect(tasks.map(({ title }) => title)).toEqual(['from the backup'])
        await sql`select 1`.execute(trx)
      }),
    )
    await store.add('ada', task, now)
    expect((await store.list('ada', { limit: 10, offset: 0 })).total).toBe(2)
    await database.close()
  })

  it('says that the folder is no place for a database, and tries again at the next call', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'home'), 'a file where a folder should be')
    const database = sqliteDatabase(join(folder, 'home', 'secretary.db'))
    await expect(createTaskStore(database).add('ada', task, now)).rejects.toMatchObject({
      errorType: 'storage_unavailable',
    })
    const other = sqliteDatabase(join(folder, 'other', 'secretary.db'))
    mkdirSync(join(folder, 'other'))
    expect((await createTaskStore(other).add('ada', task, now)).id).toBe(1)
    await other.close()
  })
})
