import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { shownPreview } from '@secretary-mcp/transcripts/preview.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import { dialogsToForget, type Forgettable } from '../../dialogs/keeping/forget-dialogs.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { day, requireDialog, shownSessionIds } from '../dialog-words.ts'
import { openQuestions } from '../questions.ts'
import { table } from '../table.ts'
import { cutToWidth } from '../visible-text.ts'

const MAX_SHOWN = 10
const never = new AbortController().signal

interface Options {
  readonly project?: true | string
  readonly before?: string
  readonly yes?: boolean
}

/** `--project` alone means the current one; elsewhere the same flag needs a value. */
export const registerForget: RegisterCommand = (program, context) => {
  const project = program.options.find(({ long }) => long === '--project')
  if (project) Object.assign(project, { required: false, optional: true })
  program
    .command('forget [session]')
    .description('remove dialogs from everything Secretary stores, for good')
    .option('--before <date>', 'all that ended before this day, such as 2026-01-31')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nThe agents’ own files are not touched; Secretary no longer reads them.\n\nExamples:\n  secretary forget SESSION              the beginning of its id is enough\n  secretary forget --project            all dialogs of this project\n  secretary forget --before 2026-01-31',
    )
    .action((session: string | undefined, _options: object, command: Command) =>
      forget(context, session, command),
    )
}

async function forget(
  context: CommandContext,
  sessionId: string | undefined,
  command: Command,
): Promise<void> {
  const { project, before, yes } = command.optsWithGlobals<Options>()
  const wanted: Forgettable = {
    sessionId,
    isProject: project !== undefined,
    ...(before === undefined ? {} : { before: timeOf(before) }),
  }
  if (sessionId === undefined && project === undefined && before === undefined)
    throw new UsageError('Name a session, or use --project or --before DATE')
  if (sessionId !== undefined && before !== undefined)
    throw new UsageError('Name a session or a date, not both')
  const overrides = project === true ? { project: undefined } : {}
  await context.withApp(command, (app) => forgetIn(app, context, wanted, yes === true), {
    overrides,
  })
}

async function forgetIn(
  app: App,
  { terminal }: CommandContext,
  wanted: Forgettable,
  isAgreed: boolean,
): Promise<void> {
  const { sessionId } = wanted
  const named = {
    ...wanted,
    ...(sessionId === undefined
      ? {}
      : { sessionId: (await requireDialog(app, sessionId)).sessionId }),
  }
  const dialogs = await dialogsToForget(app.dialogs, app.localCaller, named, never)
  const sessions = new Set(dialogs.map(({ sessionId }) => sessionId))
  if (sessions.size === 0) return terminal.print('There is nothing to forget.')
  const shown = sessions.size === 1 ? '1 dialog' : `${sessions.size} dialogs`
  if (!isAgreed) {
    if (!terminal.interactive)
      throw new UsageError(
        `${shown} would be forgotten, which cannot be undone. Nothing was changed: add --yes to confirm.`,
      )
    const shownId = await shownSessionIds(app, terminal)
    for (const line of list(dialogs, shownId)) terminal.note(cutToWidth(line, terminal.columns))
    const questions = openQuestions()
    const isSure = await questions.isAgreed(`Forget ${shown}? This cannot be undone. [y/N] `)
    questions.close()
    if (!isSure) throw new UsageError('Nothing was changed')
  }
  await app.forgetDialogs(dialogs)
  terminal.print(`Forgot ${shown}.`)
}

function list(dialogs: readonly Dialog[], shownId: (id: string) => string): string[] {
  const asked = dialogs.filter(({ requestsCount }) => requestsCount > 0)
  const rows = asked
    .slice(0, MAX_SHOWN)
    .map(({ lastSeen, source, sessionId, title, firstRequestPreview = '' }) => [
      day(lastSeen),
      source,
      shownId(sessionId),
      shownPreview(title ?? firstRequestPreview),
    ])
  const more = asked.length - rows.length
  return [...table(rows), ...(more > 0 ? [`… and ${more} more`] : [])]
}

function timeOf(date: string): number {
  const time = Date.parse(date)
  if (Number.isNaN(time)) throw new UsageError('--before must be a date such as 2026-01-31')
  return time
}
