import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { plannedTaskSchema } from '../../tasks/task-schema.ts'
import { route } from './route.ts'

/** Sharing is the person's to do: no tool shares a task. */
export function taskSpaceRoutes({ taskSharing, metrics }: App) {
  /** No tool did it, so other pages hear of it as of a change by one. */
  const announce = (user: string) =>
    metrics.record({ tool: 'update_task', user, ms: 0, byPage: true })
  return [
    route({
      method: 'put',
      path: '/api/v1/tasks/{id}/space',
      tag: 'tasks',
      summary: 'Share a task of your own with a space, instead of the one it was shared with',
      body: z.strictObject({ space: z.string().min(1).max(100).describe('Its name or id') }),
      answers: { 200: z.object({ task: plannedTaskSchema }), 403: undefined, 404: undefined },
      async handle({ caller, params, body }) {
        const task = await taskSharing.share(caller, Number(params.id), body.space)
        announce(caller.user)
        return { status: 200, body: { task } }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/tasks/{id}/space',
      tag: 'tasks',
      summary: 'Stop sharing a task; its owner or an operator of the space',
      answers: { 204: undefined, 403: undefined, 404: undefined },
      async handle({ caller, params }) {
        await taskSharing.takeBack(caller, Number(params.id))
        announce(caller.user)
        return { status: 204 }
      },
    }),
  ]
}
