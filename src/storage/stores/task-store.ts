import type { Kysely } from 'kysely'
import type { TaskStore } from '../../tasks/task-store.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { taskFacets } from './task-facets.ts'
import { COLUMNS, columnsOf, taskOf } from './task-row.ts'

interface PageFilter {
  readonly user: string
  readonly completed: number
  readonly limit: number
  readonly offset: number
}

const pageOfAll = compiledOnce((db, { user, limit, offset }: PageFilter) =>
  pageOf(db, user).limit(limit).offset(offset),
)
const pageOfSome = compiledOnce((db, { user, completed, limit, offset }: PageFilter) =>
  pageOf(db, user).where('completed', '=', completed).limit(limit).offset(offset),
)

function pageOf(db: Kysely<Tables>, user: string) {
  return db.selectFrom('tasks').where('user_id', '=', user).select(COLUMNS).orderBy('id')
}

export function createTaskStore(database: Database): TaskStore {
  return {
    async add(user, { project, ...task }, now) {
      const { title = '', ...columns } = columnsOf(task)
      const row = {
        user_id: user,
        title,
        description: null,
        completed: 0,
        ...columns,
        created_at: now,
        project: project ?? null,
      }
      return taskOf(
        await database.use((db) =>
          db.insertInto('tasks').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
        ),
      )
    },

    async list(user, wanted) {
      const { completed, limit, offset, sort, state, label, project, text } = wanted
      if (sort === 'order' || [state, label, project, text].some((one) => one !== undefined))
        return (await import('./narrowed-tasks.ts')).narrowedTasks(database, user, wanted)
      const filter = { user, completed: Number(completed), limit, offset }
      return database.use(async (db) => {
        const page = completed === undefined ? pageOfAll : pageOfSome
        const tasks = (await page(db, filter)).map(taskOf)
        // A page that is not full is the last one: there is nothing more to count.
        const isLast = tasks.length < limit && (tasks.length > 0 || offset === 0)
        if (isLast) return { tasks, total: offset + tasks.length }
        let mine = db.selectFrom('tasks').where('user_id', '=', user)
        if (completed !== undefined) mine = mine.where('completed', '=', filter.completed)
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

    facets: (user) => taskFacets(database, user),

    async complete(user, id, now) {
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ completed: 1, state: null, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('completed', '=', 0)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    async update(user, id, changes, now) {
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ ...columnsOf(changes), updated_at: now })
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
