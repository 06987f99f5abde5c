import type { Command } from 'commander'
import type { Task } from '../../tasks/task.ts'
import { addTask } from '../../tasks/tools/add-task.ts'
import { completeTask } from '../../tasks/tools/complete-task.ts'
import { deleteTask } from '../../tasks/tools/delete-task.ts'
import { listTasks } from '../../tasks/tools/list-tasks.ts'
import { planTask } from '../../tasks/tools/plan-task.ts'
import { updateTask } from '../../tasks/tools/update-task.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { oneLine, type Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'

const hints = { not_found: '`secretary tasks --all` lists the tasks' }

export const registerTasks: RegisterCommand = (program, context) => {
  const { terminal } = context
  const tasks = program.command('tasks').description('what is left to do')
  const said = ({ message }: { message: string }) => [message]

  toolCommand<{ tasks: Task[]; total: number; offset: number }>(tasks, context, {
    name: 'list',
    isDefault: true,
    tool: listTasks,
    adjust: (args, { all }) => (all || args.state ? args : { completed: false, ...args }),
    lines: ({ tasks: listed, total, offset }) => {
      if (total === 0) return ['No tasks found. `secretary tasks add TITLE` adds a task.']
      const next = offset + listed.length
      return [
        ...terminal.fitted(listed.map((task) => lineOf(task, terminal))),
        ...(next < total ? [`… and more: --offset ${next}`] : []),
      ]
    },
  }).option('--all', 'include completed tasks')
  toolCommand<{ task: Task }>(tasks, context, {
    name: 'add',
    tool: addTask,
    positional: ['title...'],
    lines: ({ task }) => [`Added ${lineOf(task, terminal)}`],
  })
  toolCommand<{ message: string }>(tasks, context, {
    name: 'done',
    alias: 'complete',
    tool: completeTask,
    positional: ['task_id'],
    hints,
    lines: said,
  })
  toolCommand<{ message: string }>(tasks, context, {
    name: 'edit',
    alias: 'update',
    tool: updateTask,
    positional: ['task_id'],
    hints,
    lines: said,
  })
  toolCommand<{ task: Task }>(tasks, context, {
    name: 'plan',
    tool: planTask,
    positional: ['task_id'],
    hints,
    lines: ({ task }) => [`Planned ${lineOf(task, terminal)}`],
  })
  toolCommand<{ task: Task }>(tasks, context, {
    name: 'reopen',
    description: 'open a completed task again',
    tool: updateTask,
    positional: ['task_id'],
    sets: { completed: false },
    hints,
    lines: ({ task }) => [`Reopened ${lineOf(task, terminal)}`],
  })
  toolCommand<{ message: string }>(tasks, context, {
    name: 'delete',
    alias: 'rm',
    tool: deleteTask,
    positional: ['task_id'],
    hints,
    lines: said,
  })
  registerSharing(tasks, context)
}

/** What no tool does: sharing is the person's to do. */
function registerSharing(tasks: Command, { terminal, withApp }: CommandContext): void {
  const idOf = (given: string) => {
    if (!/^\d{1,15}$/.test(given)) throw new UsageError('A task’s id is a whole number')
    return Number(given)
  }
  tasks
    .command('share <task_id> <space>')
    .description('share a task of your own with a space')
    .action((id: string, space: string, _options, command: Command) =>
      withApp(command, async ({ taskSharing, localCaller }) => {
        const task = await taskSharing.share(localCaller, idOf(id), space)
        terminal.print(oneLine(`Shared ${lineOf(task, terminal)}`))
      }),
    )
  tasks
    .command('unshare <task_id>')
    .description('stop sharing a task')
    .action((id: string, _options, command: Command) =>
      withApp(command, async ({ taskSharing, localCaller }) => {
        await taskSharing.takeBack(localCaller, idOf(id))
        terminal.print(`Task ${id} is no longer shared`)
      }),
    )
}

function lineOf(task: Task, { style }: Terminal): string {
  const { id, title, completed, state, priority, labels = [], space, owner } = task
  const mark = completed ? style('green', '✓') : '·'
  const about = [
    state,
    priority,
    ...labels.map((label) => `#${label}`),
    space && `[${owner ?? 'somebody'} in ${space}]`,
  ]
  const rest = about.filter(Boolean).map((word) => ` ${style('dim', String(word))}`)
  return `${mark} ${style('cyan', String(id))}  ${completed ? style('dim', title) : title}${rest.join('')}`
}
