import { readFileSync } from 'node:fs'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { confirmDestroying } from '../questions.ts'

export const registerCall: RegisterCommand = (program, context) => {
  program
    .command('call')
    .description('call a tool and print its answer')
    .argument('<tool>', 'name, as `secretary tools` lists it')
    .argument('[arguments]', 'JSON object; - reads it from standard input', '{}')
    .option('--json', 'one line of JSON (the default on a pipe)')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  secretary call list_tasks \'{"completed":false}\'\n  echo \'{"title":"Buy milk"}\' | secretary call add_task -',
    )
    .action((name: string, given: string, options: { json?: boolean; yes?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        await confirmDestroying(app.tools.get(name)?.tool, name, terminal, options.yes)
        const { result, shape, text, reminders } = await app.boundary.call(
          name,
          parse(given),
          app.localCaller,
        )
        if (result.errorType === 'unknown_tool')
          throw new UsageError(`${result.error}\n\`secretary tools\` lists them`)
        terminal.print(
          options.json || !terminal.interactive ? text : JSON.stringify(shape.body, null, 2),
        )
        for (const reminder of reminders) terminal.note(`Reminder: ${reminder}`)
        if (!result.success) process.exitCode = 1
      }),
    )
}

function parse(given: string): unknown {
  const text = given === '-' ? readFileSync(0, 'utf8') : given
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The arguments must be one JSON object, such as \'{"title":"Buy milk"}\'')
  }
}
