// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { tasksFamily } from '../family.ts'
import {
  files,
  labels,
  type PlannedTask,
  priority,
  state,
  taskId,
  taskSchema,
  texts,
} from '../task.ts'
import { changedLists, shownTask } from '../tasks.ts'

export const planTask = tasksFamily.tool({
  name: 'plan_task',
  title: 'Plan a task',
  effect: 'write',
  idempotent: true,
  description: "Set a task's state, priority, labels or files",
  about: `Use it when you begin a task (doing), when it waits for something (blocked), or to say how it ranks and what it is about. A new list replaces the old one, an empty one removes it; with lists add or remove, the rest of the old one stays, also what others have just added. What you leave out stays as it is.`,
  arguments: new ToolArguments(
    {
      task_id: taskId.describe('ID of the task to plan'),
      state: state.optional().describe('How far the task is'),
      priority: priority.optional().describe('How important it is'),
      labels: texts.pipe(labels).optional().describe('Labels, such as auth'),
      files: texts.pipe(files).optional().describe('Paths of its files'),
      lists: z
        .enum(['add', 'remove'])
        .optional()
        .describe('Whether to add to or remove from the lists'),
    },
    {
      check: ({ task_id: _, lists: __, ...plan }) =>
        Object.values(plan).some((one) => one !== undefined),
      message: 'Give at least one of state, priority, labels, files',
    },
  ),
  examples: [
    { args: { task_id: 123, state: 'doing' }, shows: 'work that has begun' },
    {
      args: { task_id: 123, priority: 'high', labels: ['auth'], files: ['src/login.ts'] },
      shows: 'an urgent task about a file',
    },
    { args: { task_id: 123, labels: ['auth'], lists: 'add' }, shows: 'one more label' },
  ],
  result: z.object({ task: taskSchema }),
  run: async ({ task_id, lists, ...plan }, { service, caller }) => {
    const planned = lists ? (task: PlannedTask) => changedLists(task, plan, lists) : plan
    return Result.ok({ task: shownTask(await service.plan(caller.user, task_id, planned)) })
  },
})
