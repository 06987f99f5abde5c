import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { plannedTaskSchema } from '../../tasks/task-schema.ts'
import { route } from './route.ts'

/** Sharing is the person's to do: no tool shares a task. */
export function taskSpaceRoutes({ taskSharing }: App) {
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
        return { status: 204 }
      },
    }),
  ]
}
