import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Caller, DeclaredTool, ValueOf } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import {
  type ChangesOf,
  description,
  files,
  labels,
  plannedTaskSchema,
  priority,
  type SeenTask,
  state,
  type Task,
  type TaskChanges,
  type TaskFilter,
  taskSchema,
  title,
} from '../../tasks/task.ts'
import { changesOnTop, type TaskBase } from '../../tasks/tasks.ts'
import type { addTask } from '../../tasks/tools/add-task.ts'
import type { completeTask } from '../../tasks/tools/complete-task.ts'
import type { deleteTask } from '../../tasks/tools/delete-task.ts'
import type { listTasks } from '../../tasks/tools/list-tasks.ts'
import type { updateTask } from '../../tasks/tools/update-task.ts'
import { route } from './route.ts'

const PAGE = 100
const NEVER = 'never'
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const changes = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  completed: z.boolean().optional(),
  state: state.optional(),
  priority: priority.optional(),
  labels: labels.optional(),
  files: files.optional(),
})

const placed = changes.extend({ position: z.number().optional() })
/** What is stored may be longer than what may be given now. */
const based: z.ZodType<TaskBase> = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  completed: z.boolean().optional(),
  state: state.optional(),
  priority: priority.optional(),
  labels: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  position: z.number().nullable().optional(),
})

interface Page {
  readonly limit?: number
  readonly offset?: number
}

/** Tasks as a resource. What the task tools do goes through them, so the rules are theirs; the plan of the work is the page's. */
export function taskRoutes(app: App) {
  const call = async <T extends DeclaredTool>(tool: T['name'], args: object, caller: Caller) => {
    const { result } = await app.boundary.call(tool, args, caller)
    if (!result.success) throw Failure.of(result)
    return { status: 200 as const, body: result.value as ValueOf<T> }
  }
  const listed = async (user: string, wanted: Omit<TaskFilter, 'limit' | 'offset'> & Page) => {
    const limit = Math.min(PAGE, Math.max(1, Math.floor(wanted.limit ?? PAGE)))
    const offset = Math.max(0, Math.floor(wanted.offset ?? 0))
    const page = await app.tasks.list(user, { ...wanted, sort: 'order', limit, offset })
    return { ...page, tasks: [...page.tasks] }
  }
  /** In one step with its place, which no tool gives. */
  const planned = (caller: Caller, id: number, plan: TaskChanges | ChangesOf) =>
    app.tasks.plan(caller.user, id, plan)
  const removed = async (caller: Caller, id: number, seen: SeenTask) => {
    const { value } = await app.tasks.remove(caller, id, seen)
    return { status: 200 as const, body: value as ValueOf<typeof deleteTask> }
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
        state: state.optional().describe('Only tasks in this state'),
        label: z.string().max(50).optional().describe('Only tasks with this label'),
        project: z.string().max(4096).optional().describe('Only tasks added in this folder'),
        text: z.string().max(200).optional().describe('Only tasks with these words'),
        sort: z
          .enum(['added', 'order'])
          .default('added')
          .describe('Oldest first, or in the person’s order, which the other filters use too'),
        limit: z.coerce.number().optional().describe('Maximum number to return'),
        offset: z.coerce.number().optional().describe('Number to skip'),
      }),
      answers: {
        200: z.object({
          tasks: z.array(plannedTaskSchema),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
        }),
      },
      async handle({ query: { sort, ...wanted }, caller }) {
        const { state, label, project, text } = wanted
        if (sort === 'order' || [state, label, project, text].some((one) => one !== undefined))
          return { status: 200, body: await listed(caller.user, wanted) }
        const { status, body } = await call<typeof listTasks>('list_tasks', wanted, caller)
        // Without a choice of fields every task is whole.
        return { status, body: { ...body, tasks: body.tasks as Task[] } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/tasks/facets',
      tag: 'tasks',
      summary: 'Labels and projects that tasks have',
      answers: { 200: z.object({ labels: z.array(z.string()), projects: z.array(z.string()) }) },
      handle: async ({ user }) => ({ status: 200, body: await app.tasks.facets(user) }),
    }),
    route({
      method: 'get',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'One task',
      answers: { 200: z.object({ task: plannedTaskSchema }), 404: undefined },
      handle: async ({ user, params }) => ({
        status: 200,
        body: { task: await app.tasks.require(user, id(params).task_id) },
      }),
    }),
    route({
      method: 'post',
      path: '/api/v1/tasks',
      tag: 'tasks',
      summary: 'Add a task',
      body: changes.extend({ title }),
      answers: { 201: z.object({ task: plannedTaskSchema }) },
      async handle({ body, caller }) {
        const { said, plan } = partedTask(body)
        const added = await call<typeof addTask>('add_task', said, caller)
        if (!plan) return { ...added, status: 201 }
        return { status: 201, body: { task: await planned(caller, added.body.task.id, plan) } }
      },
    }),
    route({
      method: 'patch',
      path: '/api/v1/tasks/{id}',
      tag: 'tasks',
      summary: 'Change a task',
      body: placed.extend({
        base: based
          .optional()
          .describe('What these fields said before: lists are merged, other changes refused'),
      }),
      answers: {
        200: z.object({ task: plannedTaskSchema, message: z.string() }),
        404: undefined,
        409: undefined,
      },
      async handle({ body: { base, ...body }, params, caller }) {
        const { said, plan } = partedTask(body)
        const of = id(params)
        if (base && Object.keys(body).length > 0) {
          const onTop: ChangesOf = (task) => changesOnTop(task, body, base)
          const task = await planned(caller, of.task_id, onTop)
          return { status: 200, body: { task, message: 'Task updated successfully' } }
        }
        const isSaid = Object.keys(said).length > 0 || !plan
        const updated = isSaid
          ? await call<typeof updateTask>('update_task', { ...said, ...of }, caller)
          : undefined
        if (updated && !plan) return updated
        const task = await planned(caller, of.task_id, plan ?? {})
        return { status: 200, body: { task, message: updated?.body.message ?? 'Task planned' } }
      },
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
      query: z.object({
        updated_at: z
          .string()
          .max(40)
          .optional()
          .describe('As the person saw it, `never` if it had none; refused if changed since'),
      }),
      answers: {
        200: z.object({ deleted_task_id: z.int(), message: z.string() }),
        404: undefined,
        409: undefined,
      },
      handle: ({ params, query: { updated_at: seen }, caller }) =>
        seen === undefined
          ? call<typeof deleteTask>('delete_task', id(params), caller)
          : removed(caller, id(params).task_id, { updatedAt: seen === NEVER ? null : seen }),
    }),
  ]
}

/** What the contract's tools take, and what plans the work. */
function partedTask({ state, priority, labels, files, position, ...said }: TaskChanges) {
  const plan = { state, priority, labels, files, position }
  const isPlanned = Object.values(plan).some((value) => value !== undefined)
  return { said, plan: isPlanned ? plan : undefined }
}

const link = z.object({
  task_id: z.int(),
  session_id: z.string(),
  request_index: z.int(),
  title: z.string(),
  completed: z.boolean(),
})
const MAX_LINKS = 1000
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
          .max(MAX_LINKS)
          .default(MAX_LINKS)
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
