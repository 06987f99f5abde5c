// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import { taskId, taskSchema } from '../task.ts'

export const completeTask = tasksFamily.tool({
  name: 'complete_task',
  title: 'Complete a task',
  effect: 'write',
  description: 'Mark a task as completed.\nUse it as soon as the work is done.',
  about: `Use it as soon as the work is done. A task that is completed already is refused, and nothing changes.`,
  arguments: new ToolArguments({ task_id: taskId.describe('ID of the task to complete') }),
  examples: [
    {
      args: { task_id: 123 },
      shows: 'task 123 is done; a second call says so and changes nothing',
    },
  ],
  result: z.object({ task: taskSchema, message: z.string() }),
  run: ({ task_id }, { service, caller }) => service.complete(caller, task_id),
})
