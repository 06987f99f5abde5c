import type { Command } from 'commander'
import { DEFAULT_BUDGET, type Recall } from '../../dialogs/recall/compose-recall.ts'
import { recallText } from '../../dialogs/recall/recall-text.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { FORMS, hookAnswer } from '../hook-answer.ts'
import { failOpen } from '../hook-deadline.ts'
import { readHookInput } from '../hook-input.ts'
import { noteDialog } from '../note-dialog.ts'
import { markShown } from '../shown-notes.ts'

const never = new AbortController().signal

interface Options {
  readonly budget?: string
  readonly json?: boolean
  readonly hook?: boolean
  readonly form?: string
}

export const registerRecall: RegisterCommand = (program, context) => {
  program
    .command('recall')
    .description(
      'what the person asked and where the work stands, within a budget of tokens (see --session)',
    )
    .option('--budget <tokens>', 'maximum number of tokens')
    .option('--json', 'as JSON')
    .option(
      '--hook',
      "act as an agent's session hook: read its JSON from standard input and answer in its format",
    )
    .option('--form <agent>', `the form of that answer: ${FORMS.join(', ')}`, FORMS[0])
    .addHelpText(
      'after',
      '\nExamples:\n  secretary recall --budget 800\n  secretary hook claude-code            how to run it automatically',
    )
    .action((options: Options, command: Command) =>
      options.hook ? hook(context, options, command) : plain(context, options, command),
    )
}

async function plain(context: CommandContext, options: Options, command: Command): Promise<void> {
  const answer = await asked(context, options, command)
  if (!answer.result.success) {
    context.terminal.note(String(answer.result.error))
    process.exitCode = 1
  } else
    context.terminal.print(options.json ? answer.text : recallText(answer.result.value as Recall))
}

/** A hook that fails must not stand in the way of a session: it says why on standard error, and nothing else. */
async function hook(context: CommandContext, options: Options, command: Command): Promise<void> {
  failOpen()
  const { sessionId, project, isFresh } = await readHookInput(process.stdin)
  const overrides = {
    ...(sessionId ? { session: sessionId } : {}),
    ...(project && !command.optsWithGlobals().project ? { project } : {}),
  }
  const budget = budgetOf(options)
  try {
    if (sessionId) noteDialog(context.settings(command, overrides).config.home, sessionId)
    const { value } = await context.withApp(
      command,
      (app) => app.dialogs.recall(app.localCaller, { budget, isFresh }, never),
      { overrides },
    )
    const recalled = value as Recall
    context.terminal.print(hookAnswer(recallText(recalled), options.form))
    const { config } = context.settings(command, overrides)
    if (config.editNotes === 'on') markShown(config.home, sessionId ?? '', recalled.standing ?? [])
  } catch (error) {
    context.terminal.note(error instanceof Error ? error.message : String(error))
  }
}

function asked(context: CommandContext, options: Options, command: Command) {
  const budget = budgetOf(options)
  return context.withApp(command, (app) =>
    app.boundary.call('copilot_chat_secretary_recall', { budget }, app.localCaller),
  )
}

function budgetOf({ budget = String(DEFAULT_BUDGET) }: Options): number {
  if (!/^\d+$/.test(budget)) throw new UsageError('--budget must be a whole number')
  return Number(budget)
}
