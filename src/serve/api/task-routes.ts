import * as z from 'zod'
import type { App } from '../../app.ts'
import { Failure } from '../../core/failure.ts'
import type { Caller, DeclaredTool, ValueOf } from '../../core/tool.ts'
import { description, taskSchema, title } from '../../tasks/task-schema.ts'
import type { Task } from '../../tasks/task-store.ts'
import type { addTask } from '../../tasks/tools/add-task.ts'
import type { completeTask } from '../../tasks/tools/complete-task.ts'
import type { deleteTask } from '../../tasks/tools/delete-task.ts'
import type { listTasks } from '../../tasks/tools/list-tasks.ts'
import type { updateTask } from '../../tasks/tools/update-task.ts'
import { route } from './route.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const changes = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  completed: z.boolean().optional(),
})

/** Tasks as a resource. Every call goes through the task tools, so the rules are theirs. */
export function taskRoutes(app: App) {
  const call = async <T extends DeclaredTool>(tool: T['name'], args: object, caller: Caller) => {
    const { result } = await app.boundary.call(tool, args, caller)
    if (!result.success) throw Failure.of(result)
    return { status: 200 as const, body: result.value as ValueOf<T> }
  }
  const id = (params: { readonly id: string }) => ({ task_id: Number(params.id) })

  return [
    route({
      method: 'get',
      path: '/api/v1/tasks',
      tag: 'tasks',
      summary: 'List tasks',
      query: z.object({
        completed: flag.optional().describe('Only tasks with this status'),
        limit: z.coerce.number().optional().describe('Maximum number to return'),
        offset: z.coerce.number().optional().describe('Number to skip'),
      }),
      answers: {
        200: z.object({
          tasks: z.array(taskSchema),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
        }),
      },
      async handle({ query, caller }) {
        const { status, body } = await call<typeof listTasks>('list_tasks', query, caller)
        // Without a choice of fields every task is whole.
        return { status, body: { ...body, tasks: body.tasks as Task[] } }
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/tasks',
      tag: 'tasks',
      summary: 'Add a task',
      body: changes.extend({ title }),
      answers: { 201: z.object({ task: taskSchema }) },
      handle: async ({ body, caller }) => ({
        ...(await call<typeof addTask>('add_task', body, caller)),
        status: 201,
      }),
    }),
    route({
      method: 'patch',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'Change a task',
      body: changes,
      answers: { 200: z.object({ task: taskSchema, message: z.string() }), 404: undefined },
      handle: ({ body, params, caller }) =>
        call<typeof updateTask>('update_task', { ...body, ...id(params) }, caller),
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
      handle: ({ params, caller }) =>
        call<typeof completeTask>('complete_task', id(params), caller),
    }),
    route({
      method: 'delete',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'Delete a task',
      answers: { 200: z.object({ deleted_task_id: z.int(), message: z.string() }), 404: undefined },
      handle: ({ params, caller }) => call<typeof deleteTask>('delete_task', id(params), caller),
    }),
  ]
}
