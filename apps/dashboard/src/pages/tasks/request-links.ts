import { get, json } from '../../live/api.ts'
import { changed } from '../../live/topics.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

/** Which request of which dialog a task came from. */
export interface RequestLink {
  readonly task_id: number
  readonly session_id: string
  readonly request_index: number
}

export interface LinkedTask extends RequestLink {
  readonly title: string
  readonly completed: boolean
}

export function useRequestLinks(): Query<ReadonlyMap<number, RequestLink>> {
  return useQuery('request links', 'tasks', async (signal) => {
    const { links } = await get<{ links: LinkedTask[] }>('/api/v1/task-requests', {}, signal)
    return new Map(links.map((link) => [link.task_id, link]))
  })
}

/** The other way round: the tasks that came from one dialog. */
export function useTasksOfDialog(sessionId: string | undefined): Query<readonly LinkedTask[]> {
  return useQuery(
    sessionId === undefined ? undefined : `tasks of ${sessionId}`,
    'tasks',
    async (signal) => {
      const { links } = await get<{ links: LinkedTask[] }>(
        '/api/v1/task-requests',
        { session_id: sessionId },
        signal,
      )
      return links
    },
  )
}

export async function linkToRequest(
  taskId: number,
  sessionId: string,
  index: number,
): Promise<void> {
  await json('PUT', `/api/v1/tasks/${taskId}/request`, {
    body: { session_id: sessionId, request_index: index },
  })
  changed('tasks')
}
