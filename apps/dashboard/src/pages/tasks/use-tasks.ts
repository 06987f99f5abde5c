import { call } from '../../live/api.ts'
import { type Pages, usePages } from '../../live/use-pages.ts'
import type { State, Task } from './task.ts'

const PAGE = 100

export interface TaskChoice {
  readonly completed?: boolean
  readonly state?: State
  readonly label?: string
  readonly project?: string
  readonly text?: string
}

/** In the person's own order; what nobody moved comes newest first. */
export function useTasks(choice: TaskChoice): Pages<Task> {
  return usePages<Task>(
    `tasks ${JSON.stringify(choice)}`,
    'tasks',
    PAGE,
    async (offset, limit, signal) => {
      const query = { ...choice, sort: 'order' as const, limit, offset }
      const { tasks, total } = await call('get /api/v1/tasks', { query, signal })
      return { items: tasks, total }
    },
  )
}
