// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import { state, taskSchema, texts } from '../task.ts'
import { shownTask } from '../tasks.ts'

const FIELDS = [
  'id',
  'title',
  'description',
  'completed',
  'created_at',
  'updated_at',
  'state',
  'priority',
  'labels',
  'files',
] as const

export const listTasks = tasksFamily.tool({
  name: 'list_tasks',
  title: 'List tasks',
  effect: 'read',
  description:
    "List the user's tasks, oldest first.\nUse it to see what is left, or to find a task_id.",
  about: `Use it to see what is left, or to find the task_id that the other task tools take. Returns {tasks, total, limit, offset}; total counts all that fit the filter; a task says its state, priority, labels, files and space where it has them. With fields, such as ["id","title"], a long list costs few tokens.`,
  arguments: new ToolArguments({
    completed: z.boolean().optional().describe('Filter by completion; all tasks if omitted'),
    limit: z.int().min(1).max(100).default(100).describe('Tasks to return'),
    offset: z.int().min(0).default(0).describe('Tasks to skip'),
    fields: texts
      .pipe(z.array(z.enum(FIELDS)).min(1))
      .optional()
      .describe('Fields to return, such as id'),
    state: state.optional().describe('Filter by state'),
  }),
  examples: [
    { args: { completed: false, limit: 20 }, shows: 'the first 20 open tasks' },
    { args: { offset: 100 }, shows: 'the second page of all tasks' },
    { args: { state: 'blocked' }, shows: 'the tasks that wait for something' },
    { args: { completed: false, fields: ['id', 'title'] }, shows: 'the open tasks in few tokens' },
  ],
  result: z.object({
    tasks: z.array(taskSchema.partial()),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  }),
  async run({ fields, ...filter }, { service, caller }) {
    const { tasks, ...page } = await service.list(caller.user, filter)
    const shown = tasks.map(shownTask)
    return Result.ok({ tasks: fields ? shown.map((task) => pick(task, fields)) : shown, ...page })
  },
})

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<T> {
  const picked: Partial<T> = {}
  for (const key of keys) picked[key] = from[key]
  return picked
}
