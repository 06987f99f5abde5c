import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const link = z.object({
  task_id: z.int(),
  session_id: z.string(),
  request_index: z.int(),
  title: z.string(),
  completed: z.boolean(),
})
const MOST_LINKS = 1000
const notFound = {
  status: 404,
  body: { error: 'not_found', message: 'Task not found' },
} as const
const idOf = ({ id }: { readonly id: string }) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** From which request a task came, and which tasks came from a dialog. */
export function taskRequestRoutes({ taskRequests }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/task-requests',
      tag: 'tasks',
      summary: 'Tasks that name the request they came from, the newest first',
      query: z.object({
        session_id: z.string().max(500).optional().describe('Only those of this dialog'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(MOST_LINKS)
          .default(MOST_LINKS)
          .describe('Maximum number to return'),
      }),
      answers: { 200: z.object({ links: z.array(link) }) },
      async handle({ user, query }) {
        const links = await taskRequests.list(user, {
          sessionId: query.session_id,
          limit: query.limit,
        })
        return { status: 200, body: { links } }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/tasks/{id}/request',
      tag: 'tasks',
      summary: 'Link a task to the request it came from',
      body: z.object({
        session_id: z
          .string()
          .min(1)
          .max(500)
          .refine((id) => !id.includes('\0'), 'must not contain NUL characters')
          .describe('Dialog'),
        request_index: z.int().min(1).max(1_000_000_000).describe('Its request, from 1'),
      }),
      answers: { 204: undefined, 404: undefined },
      async handle({ user, params, body }) {
        const linked = await taskRequests.link(
          user,
          idOf(params),
          body.session_id,
          body.request_index,
        )
        return linked ? { status: 204 } : notFound
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/tasks/{id}/request',
      tag: 'tasks',
      summary: 'Unlink a task from its request',
      answers: { 204: undefined, 404: undefined },
      async handle({ user, params }) {
        return (await taskRequests.unlink(user, idOf(params))) ? { status: 204 } : notFound
      },
    }),
  ]
}
