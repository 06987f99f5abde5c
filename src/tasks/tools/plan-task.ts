// Template: ./README.md
import * as z from 'zod'
import { Result } from '../../core/result.ts'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { tasksFamily } from '../family.ts'
import { shownTask } from '../shown-task.ts'
import { files, labels, priority, state, taskId, taskSchema, texts } from '../task-schema.ts'

export const planTask = tasksFamily.tool({
  name: 'plan_task',
  title: 'Plan a task',
  effect: 'write',
  idempotent: true,
  description: "Set a task's state, priority, labels or files",
  about: `Use it when you begin a task (doing), when it waits for something (blocked), or to say how it ranks and what it is about. A new list replaces the old one, an empty one removes it; what you leave out stays as it is.`,
  arguments: new ToolArguments(
    {
      task_id: taskId.describe('Its id'),
      state: state.optional().describe('How far it is'),
      priority: priority.optional().describe('Its rank'),
      labels: texts.pipe(labels).optional().describe('Its topics'),
      files: texts.pipe(files).optional().describe('Its paths'),
    },
    {
      check: ({ task_id: _, ...plan }) => Object.values(plan).some((one) => one !== undefined),
      message: 'Give at least one of state, priority, labels, files',
    },
  ),
  examples: [
    { args: { task_id: 123, state: 'doing' }, shows: 'work that has begun' },
    {
      args: { task_id: 123, priority: 'high', labels: ['auth'], files: ['src/login.ts'] },
      shows: 'an urgent task about a file',
    },
  ],
  result: z.object({ task: taskSchema }),
  run: async ({ task_id, ...plan }, { service, caller }) =>
    Result.ok({ task: shownTask(await service.plan(caller.user, task_id, plan)) }),
})
