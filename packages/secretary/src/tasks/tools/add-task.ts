// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import { description, taskSchema, title } from '../task.ts'

export const addTask = tasksFamily.tool({
  name: 'add_task',
  title: 'Add a task',
  effect: 'write',
  description: 'Create a new task.\nUse it when something is left to do.',
  about: `Use it when the person names something that is left to do, or when work has to wait. title has 1 to 200 characters; description holds the details, up to 1000. Returns the task with its id.`,
  arguments: new ToolArguments({
    title: title.describe('Task title'),
    description: description.optional().describe('Task details'),
    completed: z.boolean().default(false).describe('Whether it is done already'),
  }),
  examples: [
    {
      args: { title: 'Buy groceries', description: 'Get milk, eggs, and bread' },
      shows: 'an open task with details',
    },
    {
      args: { title: 'Write changelog', completed: true },
      shows: 'something that is done already',
    },
  ],
  result: z.object({ task: taskSchema }),
  run: (task, { service, caller }) =>
    service.add(caller.user, { ...task, project: caller.project }),
})
