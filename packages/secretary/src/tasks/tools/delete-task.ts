// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import { taskId } from '../task.ts'

export const deleteTask = tasksFamily.tool({
  name: 'delete_task',
  title: 'Delete a task',
  effect: 'destroy',
  description: 'Delete a task permanently',
  about: `Use it only when the person wants the task gone; to finish one, call complete_task. It cannot be undone.`,
  arguments: new ToolArguments({ task_id: taskId.describe('ID of the task to delete') }),
  examples: [{ args: { task_id: 123 }, shows: 'task 123 is gone and cannot be brought back' }],
  result: z.object({ deleted_task_id: z.int(), message: z.string() }),
  run: ({ task_id }, { service, caller }) => service.remove(caller, task_id),
})
