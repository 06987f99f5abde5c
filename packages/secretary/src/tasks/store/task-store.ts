import type { Kysely } from 'kysely'
import * as z from 'zod'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'
import { compiledOnce, type Database, storedJson } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TaskFacets, TaskStore } from '../task.ts'
import { COLUMNS, columnsOf, readableTask, readableTasks, taskOf } from './task-row.ts'

const MOST = 200

interface PageFilter {
  readonly user: string
  readonly completed: number
  readonly limit: number
  readonly offset: number
}

const pageOfAll = compiledOnce((db, { user, limit, offset }: PageFilter) => {
  const { own, others } = pagesOf(db, user)
  const page = own.unionAll(others).orderBy('id').limit(limit).offset(offset)
  return counted(db, page, readableTasks(db, user))
})
const pageOfSome = compiledOnce((db, { user, completed, limit, offset }: PageFilter) => {
  const { own, others } = pagesOf(db, user)
  const page = own
    .where('completed', '=', completed)
    .unionAll(others.where('completed', '=', completed))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
  return counted(db, page, readableTasks(db, user).where('completed', '=', completed))
})

/** Apart, since each has an index that is in order already: a page of many does not sort them all. */
function pagesOf(db: Kysely<Tables>, user: string) {
  const all = db.selectFrom('tasks').select(COLUMNS).select(spaceName)
  return {
    own: all.where('user_id', '=', user),
    others: all.where('user_id', '!=', user).where((e) => inSpaceOf(e, user, 'read')),
  }
}

/** With how many there are, in one statement: where many call at once, each one waits its turn. */
function counted(
  db: Kysely<Tables>,
  page: ReturnType<typeof pagesOf>['own'],
  all: ReturnType<typeof readableTasks>,
) {
  const total = all.select((e) => e.fn.countAll<number>().as('total'))
  return db.selectFrom(page.as('page')).selectAll('page').select(total.as('total')).orderBy('id')
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
        const rows = await page(db, filter)
        const [first] = rows
        if (first || (offset === 0 && limit > 0))
          return { tasks: rows.map(taskOf), total: Number(first?.total ?? 0) }
        // Beyond the last one nothing tells how many there are.
        let mine = readableTasks(db, user)
        if (completed !== undefined) mine = mine.where('completed', '=', filter.completed)
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return { tasks: [], total: Number(total) }
      })
    },

    async find(user, id) {
      const row = await database.use((db) =>
        readableTask(db, user, id).select(COLUMNS).select(spaceName).executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    facets: (user) => taskFacets(database, user),

    async complete(user, id, now) {
      const done = { completed: 1, state: null }
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ ...done, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .where('completed', '=', 0)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      if (row) return taskOf(row)
      const { changeSharedTask } = await import('./tasks-in-spaces.ts')
      return changeSharedTask(database, { user, id, now }, done, 'complete')
    },

    async update(user, id, changes, now) {
      if (typeof changes === 'function') {
        const { changeHeldTask } = await import('./tasks-in-spaces.ts')
        return changeHeldTask(database, { user, id, now }, changes)
      }
      const columns = columnsOf(changes)
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ ...columns, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      if (row) return taskOf(row)
      const { changeSharedTask } = await import('./tasks-in-spaces.ts')
      return changeSharedTask(database, { user, id, now }, columns, 'update')
    },

    async remove(user, id, now, asOperator, seen) {
      const { numDeletedRows } = await database.use((db) =>
        db
          .deleteFrom('tasks')
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .$if(seen !== undefined, (query) =>
            query.where('updated_at', 'is not distinct from', seen?.updatedAt ?? null),
          )
          .executeTakeFirst(),
      )
      if (numDeletedRows > 0n) return true
      const { removeSharedTask } = await import('./tasks-in-spaces.ts')
      return removeSharedTask(database, { user, id, now }, asOperator, seen)
    },

    async share(...given) {
      const { createTaskSharing } = await import('./tasks-in-spaces.ts')
      return createTaskSharing(database).share(...given)
    },

    async takeBack(...given) {
      const { createTaskSharing } = await import('./tasks-in-spaces.ts')
      return createTaskSharing(database).takeBack(...given)
    },
  }
}

const texts = z.array(z.string())

/** Labels and projects that the tasks have which a user may read, for whoever chooses among them. */
function taskFacets(database: Database, user: string): Promise<TaskFacets> {
  return database.use(async (db) => {
    const labelled = await readableTasks(db, user)
      .select('labels')
      .distinct()
      .where('labels', 'is not', null)
      .limit(MOST)
      .execute()
    const placed = await readableTasks(db, user)
      .select('project')
      .distinct()
      .where('project', 'is not', null)
      .limit(MOST)
      .execute()
    const labels = labelled.flatMap(({ labels }) => storedJson(labels ?? '[]', texts) ?? [])
    return {
      labels: [...new Set(labels)].sort(),
      projects: placed.flatMap(({ project }) => project ?? []).sort(),
    }
  })
}
