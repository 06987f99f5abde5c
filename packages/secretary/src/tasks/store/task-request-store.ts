import type { Database } from '../../storage/database.ts'

/** Which request of which dialog a task came from, with what a reader of the dialog wants to know of the task. */
interface RequestLink {
  readonly task_id: number
  readonly session_id: string
  readonly request_index: number
  readonly title: string
  readonly completed: boolean
}

interface LinkFilter {
  readonly sessionId?: string
  readonly limit: number
}

/** Kept apart from the tasks, whose shape the contract fixes. Every method sees the given user's tasks alone. */
export interface TaskRequests {
  /** Whether there was such a task. */
  link(user: string, taskId: number, sessionId: string, index: number): Promise<boolean>
  unlink(user: string, taskId: number): Promise<boolean>
  /** The newest tasks first. */
  list(user: string, filter: LinkFilter): Promise<RequestLink[]>
}

export function createTaskRequestStore(database: Database): TaskRequests {
  return {
    async link(user, taskId, sessionId, index) {
      const place = { session_id: sessionId, request_index: index }
      const row = await database.use((db) =>
        db
          .insertInto('task_requests')
          .columns(['task_id', 'session_id', 'request_index'])
          .expression((e) =>
            e
              .selectFrom('tasks')
              .select((t) => [
                t.ref('id').as('task_id'),
                t.cast<string>(t.val(sessionId), 'text').as('session_id'),
                t.cast<number>(t.val(index), 'integer').as('request_index'),
              ])
              .where('user_id', '=', user)
              .where('id', '=', taskId),
          )
          .onConflict((conflict) => conflict.column('task_id').doUpdateSet(place))
          .returning('task_id')
          .executeTakeFirst(),
      )
      return row !== undefined
    },

    async unlink(user, taskId) {
      const { numDeletedRows } = await database.use((db) =>
        db
          .deleteFrom('task_requests')
          .where(
            'task_id',
            'in',
            db
              .selectFrom('tasks')
              .select('id')
              .where('user_id', '=', user)
              .where('id', '=', taskId),
          )
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },

    async list(user, { sessionId, limit }) {
      const rows = await database.use((db) => {
        let mine = db
          .selectFrom('task_requests')
          .innerJoin('tasks', 'tasks.id', 'task_requests.task_id')
          .where('tasks.user_id', '=', user)
        if (sessionId !== undefined) mine = mine.where('task_requests.session_id', '=', sessionId)
        return mine
          .select(['task_id', 'session_id', 'request_index', 'title', 'completed'])
          .orderBy('task_id', 'desc')
          .limit(limit)
          .execute()
      })
      return rows.map(({ completed, task_id, ...row }) => ({
        task_id: Number(task_id),
        ...row,
        completed: completed === 1,
      }))
    },
  }
}
