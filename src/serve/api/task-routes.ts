import * as z from 'zod'
import type { App } from '../../app.ts'
import { Failure } from '../../core/failure.ts'
import type { Caller } from '../../core/tool.ts'
import { taskSchema } from '../../tasks/task-schema.ts'
import { type Route, type RouteAnswer, route } from './route.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Tasks as a resource. Every call goes through the task tools, so the rules are theirs. */
export function taskRoutes(app: App): Route[] {
  const call = async (
    tool: string,
    args: object,
    caller: Caller,
    status = 200,
  ): Promise<RouteAnswer> => {
    const { result } = await app.boundary.call(tool, args, caller)
    if (!result.success) throw Failure.of(result)
    return { status, body: result.value }
  }
  const id = (params: Readonly<Record<string, string>>) => ({ task_id: Number(params.id) })

  return [
    route({
      method: 'get',
      path: '/api/v1/tasks',
      tag: 'tasks',
      summary: 'List tasks',
      query: z.object({
        completed: flag.optional().describe('Only tasks with this status'),
        limit: z.coerce.number().optional().describe('At most this many'),
        offset: z.coerce.number().optional().describe('Skip this many'),
      }),
      answers: {
        200: z.object({
          tasks: z.array(taskSchema),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
        }),
      },
      handle: ({ query, caller }) => call('list_tasks', query, caller),
    }),
    route({
      method: 'post',
      path: '/api/v1/tasks',
      tag: 'tasks',
      summary: 'Add a task',
      body: z.record(z.string(), z.unknown()),
      answers: { 201: z.object({ task: taskSchema }) },
      handle: ({ body, caller }) => call('add_task', body, caller, 201),
    }),
    route({
      method: 'patch',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'Change a task',
      body: z.record(z.string(), z.unknown()),
      answers: { 200: z.object({ task: taskSchema, message: z.string() }), 404: undefined },
      handle: ({ body, params, caller }) => call('update_task', { ...body, ...id(params) }, caller),
    }),
    route({
      method: 'post',
      path: '/api/v1/tasks/{id}/complete',
      tag: 'tasks',
      summary: 'Mark a task as completed',
      answers: {
        200: z.object({ task: taskSchema, message: z.string() }),
        404: undefined,
        409: undefined,
      },
      handle: ({ params, caller }) => call('complete_task', id(params), caller),
    }),
    route({
      method: 'delete',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'Delete a task',
      answers: { 200: z.object({ deleted_task_id: z.int(), message: z.string() }), 404: undefined },
      handle: ({ params, caller }) => call('delete_task', id(params), caller),
    }),
  ]
}
