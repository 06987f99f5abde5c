// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { tasksFamily } from '../family.ts'
import { taskSchema } from '../task-schema.ts'

export const listTasks = tasksFamily.tool({
  name: 'list_tasks',
  title: 'List tasks',
  effect: 'read',
  description: "List the user's tasks, oldest first",
  arguments: new ToolArguments({
    completed: z.boolean().optional().describe('Filter by completion status (omit for all tasks)'),
    limit: z.int().min(1).max(100).default(100).describe('Maximum number of tasks to return'),
    offset: z.int().min(0).default(0).describe('Number of tasks to skip for pagination'),
  }),
  examples: [
    { args: { completed: false, limit: 20 }, shows: 'the first 20 open tasks' },
    { args: { offset: 100 }, shows: 'the second page of all tasks' },
  ],
  result: z.object({ tasks: z.array(taskSchema), total: z.int(), limit: z.int(), offset: z.int() }),
  run: (filter, { service, caller }) => service.list(caller.user, filter),
})
