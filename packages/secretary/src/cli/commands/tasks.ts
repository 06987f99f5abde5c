import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Command } from 'commander'
import { findTasks } from '../../agent/rules/find-task.ts'
import type { App } from '../../app/app.ts'
import type { Task } from '../../tasks/task.ts'
import { addTask } from '../../tasks/tools/add-task.ts'
import { completeTask } from '../../tasks/tools/complete-task.ts'
import { deleteTask } from '../../tasks/tools/delete-task.ts'
import { listTasks } from '../../tasks/tools/list-tasks.ts'
import { planTask } from '../../tasks/tools/plan-task.ts'
import { updateTask } from '../../tasks/tools/update-task.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { oneLine, type Terminal } from '../terminal.ts'
import { type Named, toolCommand } from '../tool-command.ts'

const hints = { not_found: '`secretary tasks --all` lists the tasks' }

export const registerTasks: RegisterCommand = (program, context) => {
  const { terminal } = context
  const tasks = program.command('tasks').description('list and change what is left to do')
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
    positional: ['task_id...'],
    named: taskNamed(terminal),
    hints,
    lines: said,
  })
  toolCommand<{ message: string }>(tasks, context, {
    name: 'edit',
    alias: 'update',
    tool: updateTask,
    positional: ['task_id...'],
    named: taskNamed(terminal),
    hints,
    lines: said,
  })
  toolCommand<{ task: Task }>(tasks, context, {
    name: 'plan',
    tool: planTask,
    positional: ['task_id...'],
    named: taskNamed(terminal),
    hints,
    lines: ({ task }) => [`Planned ${lineOf(task, terminal)}`],
  })
  toolCommand<{ task: Task }>(tasks, context, {
    name: 'reopen',
    description: 'open a completed task again',
    tool: updateTask,
    positional: ['task_id...'],
    named: taskNamed(terminal, true),
    sets: { completed: false },
    hints,
    lines: ({ task }) => [`Reopened ${lineOf(task, terminal)}`],
  })
  toolCommand<{ message: string }>(tasks, context, {
    name: 'delete',
    alias: 'rm',
    tool: deleteTask,
    positional: ['task_id...'],
    named: taskNamed(terminal),
    hints,
    lines: said,
  })
  registerSharing(tasks, context)
}

const PAGE = 100

/** The task whose title has the words. Several are named, for the person to choose. */
function taskNamed(terminal: Terminal, completed = false): Named {
  return {
    argument: 'task_id',
    async find(app, words) {
      const found = findTasks(await allTasks(app), { words })
      const likely = found.filter((task) => task.completed === completed)
      const candidates = likely.length > 0 ? likely : found
      const [only] = candidates
      if (!only) throw new Failure('not_found', `No task matches “${words}”\n  ${hints.not_found}`)
      const lines = candidates.map(({ id, title }) => `  ${id}  ${oneLine(title)}`)
      if (candidates.length > 1)
        throw new UsageError(
          [`Several tasks match “${words}”; give the number of one:`, ...lines].join('\n'),
        )
      terminal.note(`Task ${only.id}: ${oneLine(only.title)}`)
      return only.id
    },
  }
}

async function allTasks({ tasks, localCaller }: App): Promise<Task[]> {
  const all: Task[] = []
  for (;;) {
    const page = await tasks.list(localCaller.user, { limit: PAGE, offset: all.length })
    all.push(...page.tasks)
    if (page.tasks.length === 0 || all.length >= page.total) return all
  }
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
