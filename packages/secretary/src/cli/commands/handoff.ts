import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { RECEIVERS, resumeCommand } from '../../dialogs/handoff/agent-commands.ts'
import { HANDOFF_BUDGET, handoff } from '../../dialogs/handoff/handoff.ts'
import { isCarried } from '../../dialogs/keeping/kept-store.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { requireDialog } from '../dialog-words.ts'

const never = new AbortController().signal

interface Options {
  readonly to?: string
  readonly budget: string
}

export const registerHandoff: RegisterCommand = (program, context) => {
  program
    .command('handoff [session]')
    .description('print a dialog as a prompt for another agent')
    .option('--to <agent>', `also show how to start it: ${RECEIVERS.join(', ')}`)
    .option('--budget <tokens>', 'maximum number of tokens', String(HANDOFF_BUDGET))
    .action((session: string | undefined, options: Options, command: Command) =>
      handOff(context, session, options, command),
    )
}

async function handOff(
  context: CommandContext,
  sessionId: string | undefined,
  { to, budget }: Options,
  command: Command,
): Promise<void> {
  if (!/^\d+$/.test(budget)) throw new UsageError('--budget must be a whole number')
  if (to !== undefined && !RECEIVERS.includes(to))
    throw new UsageError(`--to must be one of ${RECEIVERS.join(', ')}`)
  const { prompt, command: start } = await context.withApp(command, async (app) => {
    const dialog = await requireDialog(app, sessionId)
    const wanted = { sessionId: dialog.sessionId, to, budget: Number(budget) }
    return handoff(app.dialogs, app.localCaller, wanted, never)
  })
  context.terminal.print(prompt)
  if (start) context.terminal.note(`\nStart it with:\n  ${start}`)
}

/** Opens a dialog in the agent that it was held with. */
export const registerResume: RegisterCommand = (program, context) => {
  program
    .command('resume <session>')
    .description('reopen a dialog in the agent it came from')
    .option('--print', 'only print the command')
    .action((session: string, options: { print?: boolean }, command: Command) =>
      resume(context, session, options.print === true, command),
    )
}

async function resume(
  context: CommandContext,
  session: string,
  isPrinted: boolean,
  command: Command,
): Promise<void> {
  const dialog = await context.withApp(command, (app) => requireDialog(app, session))
  const whyNot = isCarried(dialog)
    ? 'This dialog was held on another machine'
    : `${dialog.source} has deleted the file of this dialog`
  if (dialog.chatJsonPath === undefined)
    throw new UsageError(
      `${whyNot}; use \`secretary handoff ${dialog.sessionId}\` to go on with it`,
    )
  const [program, ...args] = resumeCommand(dialog.source, dialog.sessionId) ?? []
  if (program === undefined)
    throw new UsageError(
      `${dialog.source} cannot be resumed from here: open the dialog from its history`,
    )
  if (isPrinted) return context.terminal.print([program, ...args].join(' '))
  await new Promise<void>((done, failed) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd: dialog.project })
    child.on('error', () =>
      failed(new UsageError(`${program} could not be started: is it installed?`)),
    )
    child.on('exit', (code) => {
      process.exitCode = code ?? 1
      done()
    })
  })
}
