import { expect, it, onTestFinished } from 'vitest'
import { createTaskStore } from '../tasks/store/task-store.ts'
import { compiledOnce } from './database.ts'
import { sqliteDatabase } from './open-database.ts'

it('a query that was compiled once takes the values of each call, on each connection', async () => {
  let built = 0
  const titles = compiledOnce((db, { user, limit }: { user: string; limit: number }) => {
    built++
    return db.selectFrom('tasks').select('title').where('user_id', '=', user).limit(limit)
  })
  const databaseWith = async (...entries: string[]) => {
    const database = sqliteDatabase(':memory:')
    onTestFinished(() => database.close())
    const store = createTaskStore(database)
    for (const title of entries) await store.add('ada', { title, completed: false }, '2026-01-01')
    return (user: string, limit: number) =>
      database.use(async (db) => (await titles(db, { user, limit })).map(({ title }) => title))
  }
  const first = await databaseWith('one', 'two')
  const second = await databaseWith('three')
  expect(await first('ada', 5)).toEqual(['one', 'two'])
  expect(await first('ada', 1)).toEqual(['one'])
  expect(await first('bob', 5)).toEqual([])
  expect(await second('ada', 5)).toEqual(['three'])
  expect(built).toBe(2)
})
