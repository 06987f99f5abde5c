// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import { description, taskId, taskSchema, title } from '../task.ts'

export const updateTask = tasksFamily.tool({
  name: 'update_task',
  title: 'Update a task',
  effect: 'write',
  idempotent: true,
  description:
    "Change a task's title, description or status.\nUse it when a task is wrong or has to be opened again.",
  about: `Use it when a task says the wrong thing, needs details, or has to be opened again (completed: false). Give at least one of title, description and completed; what you leave out stays as it is.`,
  arguments: new ToolArguments(
    {
      task_id: taskId.describe('ID of the task to update'),
      title: title.optional().describe('New task title'),
      description: description.optional().describe('New task description'),
      completed: z.boolean().optional().describe('New completion status'),
    },
    {
      check: ({ title, description, completed }) =>
        title !== undefined || description !== undefined || completed !== undefined,
      message: 'Give at least one of title, description, completed',
      jsonSchema: { minProperties: 2 },
    },
  ),
  examples: [
    {
      args: { task_id: 123, title: 'Buy groceries at the market' },
      shows: 'a new title, the rest unchanged',
    },
    { args: { task_id: 123, completed: false }, shows: 'an open task again' },
  ],
  result: z.object({ task: taskSchema, message: z.string() }),
  run: ({ task_id, ...changes }, { service, caller }) =>
    service.update(caller.user, task_id, changes),
})
