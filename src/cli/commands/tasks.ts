import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Answer } from '../../core/boundary.ts'
import type { Task } from '../../tasks/task-store.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'

interface Options {
  readonly json?: boolean
  readonly all?: boolean
  readonly description?: string
}

/** Short forms of the task tools for people; everything goes through the same boundary. */
export const registerTasks: RegisterCommand = (program, context) => {
  const tasks = program
    .command('tasks')
    .description('what is left to do')
    .option('--json', 'as JSON')
    .option('--all', 'the completed ones too')
  const run = (command: Command, tool: string, args: object, show: (answer: Answer) => void) =>
    context.withApp(command, async (app) =>
      print(app, context, command.optsWithGlobals<Options>(), tool, args, show),
    )
  const shown = (answer: Answer) => {
    for (const line of linesOf(answer)) context.terminal.print(line)
  }

  const list = (command: Command) =>
    run(
      command,
      'list_tasks',
      command.optsWithGlobals<Options>().all ? {} : { completed: false },
      shown,
    )
  tasks.action((_options, command) => list(command))
  tasks
    .command('list')
    .description('the same as without a word')
    .action((_options, command) => list(command))
  tasks
    .command('add <title...>')
    .description('add a task')
    .option('--description <text>', 'more about it')
    .action((title: string[], options: Options, command) =>
      run(command, 'add_task', { title: title.join(' '), description: options.description }, shown),
    )
  for (const [name, alias, tool, description] of [
    ['done', 'complete', 'complete_task', 'mark a task as completed'],
    ['delete', 'rm', 'delete_task', 'delete a task for good'],
  ] as const) {
    tasks
      .command(`${name} <id>`)
      .alias(alias)
      .description(description)
      .action((id: string, _options, command) =>
        run(command, tool, { task_id: numberOf(id) }, shown),
      )
  }
}

async function print(
  app: App,
  { terminal }: CommandContext,
  options: Options,
  tool: string,
  args: object,
  show: (answer: Answer) => void,
): Promise<void> {
  const answer = await app.boundary.call(tool, args, app.localCaller)
  if (!answer.result.success) {
    const { error, errorType } = answer.result
    terminal.note(
      errorType === 'not_found' ? `${error}; \`secretary tasks --all\` shows them` : String(error),
    )
    process.exitCode = 1
  } else if (options.json) terminal.print(answer.text)
  else show(answer)
}

function linesOf({ result }: Answer): string[] {
  const data = result.value as { task?: Task; tasks?: Task[]; message?: string; total?: number }
  if (data.message) return [data.message]
  if (data.task) return [`Added ${lineOf(data.task)}`]
  if (!data.tasks?.length) return ['Nothing to do. `secretary tasks add TITLE` adds a task.']
  const more = (data.total ?? 0) - data.tasks.length
  return [
    ...data.tasks.map(lineOf),
    ...(more > 0
      ? [`… and ${more} more: secretary call list_tasks '{"offset":${data.tasks.length}}'`]
      : []),
  ]
}

function lineOf({ id, title, completed }: Task): string {
  return `${completed ? '✓' : '·'} ${id}  ${title}`
}

function numberOf(id: string): number {
  const number = Number(id)
  if (!Number.isInteger(number))
    throw new UsageError(`${id} is not a task's id; \`secretary tasks\` shows them`)
  return number
}
