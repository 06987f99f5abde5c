import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { changed } from '../../live/topics.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

/** Which request of which dialog a task came from. */
export type RequestLink = AnswerOf<'get /api/v1/task-requests'>['links'][number]

export function useRequestLinks(): Query<ReadonlyMap<number, RequestLink>> {
  return useQuery('request links', 'tasks', async (signal) => {
    const { links } = await call('get /api/v1/task-requests', { signal })
    return new Map(links.map((link) => [link.task_id, link]))
  })
}

/** The other way round: the tasks that came from one dialog. */
export function useTasksOfDialog(sessionId: string | undefined): Query<readonly RequestLink[]> {
  return useQuery(
    sessionId === undefined ? undefined : `tasks of ${sessionId}`,
    'tasks',
    async (signal) => {
      const query = { session_id: sessionId }
      const { links } = await call('get /api/v1/task-requests', { query, signal })
      return links
    },
  )
}

export async function linkToRequest(
  taskId: number,
  sessionId: string,
  index: number,
): Promise<void> {
  await call('put /api/v1/tasks/{id}/request', {
    params: { id: taskId },
    body: { session_id: sessionId, request_index: index },
  })
  changed('tasks')
}
