import { useCallback, useRef } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { type Pages, usePages } from '../../live/use-pages.ts'
import type { Task } from './task.ts'

const PAGE = 100

/**
 * Newest first, though the server lists the oldest first: row 0 is the last of the list, so the first look asks how
 * many there are and the pages are counted from the other end.
 */
export function useTasks(completed: boolean | undefined): Pages<Task> {
  const pages = usePages<Task>(
    `tasks ${completed}`,
    'tasks',
    PAGE,
    async (offset, limit, signal) => {
      const query = { completed, limit, offset }
      const { tasks, total } = await call('get /api/v1/tasks', { query, signal })
      return { items: tasks, total }
    },
  )
  const total = pages.total ?? 0
  const size = useRef(total)
  size.current = total
  const { need } = pages
  const needNewest = useCallback(
    (first: number, last: number) => {
      // Before the first answer nobody knows where the end is: page 0 tells.
      if (size.current === 0) need(0, 0)
      else need(size.current - 1 - last, size.current - 1 - first)
    },
    [need],
  )
  return { ...pages, item: (index) => pages.item(total - 1 - index), need: needNewest }
}
