import type { Task, TaskStore } from '../../tasks/task-store.ts'
import type { Database } from '../database.ts'

interface Row {
  id: number
  title: string
  description: string | null
  completed: number
  created_at: string
  updated_at: string | null
}

const COLUMNS = ['id', 'title', 'description', 'completed', 'created_at', 'updated_at'] as const

export function createTaskStore(database: Database): TaskStore {
  return {
    async add(user, { title, description, completed }, now) {
      const row = {
        user_id: user,
        title,
        description: description ?? null,
        completed: Number(completed),
        created_at: now,
      }
      return taskOf(
        await database.use((db) =>
          db.insertInto('tasks').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
        ),
      )
    },

    async list(user, { completed, limit, offset }) {
      return database.use(async (db) => {
        let mine = db.selectFrom('tasks').where('user_id', '=', user)
        if (completed !== undefined) mine = mine.where('completed', '=', Number(completed))
        const rows = await mine.select(COLUMNS).orderBy('id').limit(limit).offset(offset).execute()
        const tasks = rows.map(taskOf)
        // A page that is not full is the last one: there is nothing more to count.
        const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
        if (isLast) return { tasks, total: offset + rows.length }
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return { tasks, total: Number(total) }
      })
    },

    async find(user, id) {
      const row = await database.use((db) =>
        db
          .selectFrom('tasks')
          .select(COLUMNS)
          .where('user_id', '=', user)
          .where('id', '=', id)
          .executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    async complete(user, id, now) {
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ completed: 1, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('completed', '=', 0)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    async update(user, id, changes, now) {
      const { completed, ...rest } = changes
      const set = {
        ...rest,
        ...(completed === undefined ? {} : { completed: Number(completed) }),
        updated_at: now,
      }
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set(set)
          .where('user_id', '=', user)
          .where('id', '=', id)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    async remove(user, id) {
      const { numDeletedRows } = await database.use((db) =>
        db.deleteFrom('tasks').where('user_id', '=', user).where('id', '=', id).executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
  }
}

function taskOf({ updated_at, completed, ...row }: Row): Task {
  return { ...row, completed: completed === 1, ...(updated_at === null ? {} : { updated_at }) }
}
