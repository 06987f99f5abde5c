import { type Kysely, sql } from 'kysely'
import { redact, redactIn } from '../../core/redact.ts'
import type { Task, TaskFilter, TaskStore } from '../../tasks/task-store.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

interface Row {
  id: number
  title: string
  description: string | null
  completed: number
  created_at: string
  updated_at: string | null
}

const COLUMNS = ['id', 'title', 'description', 'completed', 'created_at', 'updated_at'] as const

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
    async add(user, { title, description, completed }, now) {
      const row = {
        user_id: user,
        title: redact(title),
        description: description == null ? null : redact(description),
        completed: Number(completed),
        created_at: now,
      }
      return taskOf(
        await database.use((db) =>
          db.insertInto('tasks').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
        ),
      )
    },

    async list(user, { completed, text, limit, offset }) {
      if (text !== undefined) return searched(database, user, { completed, text, limit, offset })
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
        ...redactIn(rest),
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

/** The newest first: who searches knows what it is about, not when it was. */
async function searched(
  database: Database,
  user: string,
  { completed, text = '', limit, offset }: TaskFilter,
): Promise<{ tasks: Task[]; total: number }> {
  return database.use(async (db) => {
    let mine = db.selectFrom('tasks').where('user_id', '=', user)
    if (completed !== undefined) mine = mine.where('completed', '=', Number(completed))
    for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
      const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
      mine = mine.where(
        sql<boolean>`lower(title || ' ' || coalesce(description, '')) like ${pattern} escape '\\'`,
      )
    }
    const rows = await mine
      .select(COLUMNS)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    const { total } = await mine
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { tasks: rows.map(taskOf), total: Number(total) }
  })
}
