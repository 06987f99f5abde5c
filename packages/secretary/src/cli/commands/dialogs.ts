import type { App } from '../../app/app.ts'
import { splitAtWords } from '@secretary-mcp/core/excerpt.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { withoutSecrets } from '../../dialogs/dialog-feed.ts'
import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import type { RequestPage } from '../../dialogs/read-requests.ts'
import { listDialogs } from '../../dialogs/tools/list-dialogs.ts'
import { listRequests } from '../../dialogs/tools/list-requests.ts'
import { searchRequests } from '../../dialogs/tools/search-requests.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { dialogLines, type Found, foundLines, type Listed, requestLines } from '../dialog-lines.ts'
import {
  day,
  requireDialog,
  resolveSession,
  shownSessionIds,
  WHERE_DIALOGS_ARE,
} from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'
import { registerDialogSharing } from './share-requests.ts'

const never = new AbortController().signal
const hints = { not_found: WHERE_DIALOGS_ARE }

export const registerDialogs: RegisterCommand = (program, context) => {
  const { terminal } = context
  const dialogs = program
    .command('dialogs')
    .description('what you asked the agents on this machine')
  toolCommand<Listed>(dialogs, context, {
    name: 'list',
    isDefault: true,
    tool: listDialogs,
    lines: async (listed, app) =>
      dialogLines(listed, terminal, await shownSessionIds(app, terminal)),
  })
  toolCommand<RequestPage>(dialogs, context, {
    name: 'show',
    tool: listRequests,
    positional: ['sessionId'],
    hints,
    resolve: resolveSession,
    lines: (page) => requestLines(page, terminal),
  })
  toolCommand<Found>(dialogs, context, {
    name: 'search',
    tool: searchRequests,
    positional: ['query...'],
    isFound: ({ results }) => results.length > 0,
    lines: async (found, app) =>
      foundLines(
        { ...found, results: await withMatch(app, found) },
        terminal,
        await shownSessionIds(app, terminal),
      ),
  })
  dialogs
    .command('export [session]')
    .description('a dialog with requests and answers; the current one without an id')
    .option('--format <format>', 'md or json', 'md')
    .action((sessionId: string | undefined, options: { format: string }, command) =>
      context.withApp(command, (app) => exportDialog(app, context, sessionId, options.format)),
    )
  registerDialogSharing(dialogs, context)
}

const LONGEST_QUESTION = 400

/** A hit is shown by its beginning: where the words come later, the whole request is read. */
function withMatch(app: App, { results, query }: Found): Promise<Found['results']> {
  return Promise.all(
    results.map(async (hit) => {
      if (!hit.request.endsWith('…') || splitAtWords(hit.request, query).length > 1) return hit
      // A file that is gone by now leaves us the beginning.
      const whole = await app.dialogs
        .getRequest(app.localCaller, hit.index, hit.sessionId, never)
        .catch(() => undefined)
      return { ...hit, request: redact(whole?.value?.request ?? hit.request) }
    }),
  )
}

async function exportDialog(
  app: App,
  { terminal }: CommandContext,
  sessionId: string | undefined,
  format = 'md',
): Promise<void> {
  if (format !== 'md' && format !== 'json') throw new UsageError('--format must be md or json')
  const dialog = await requireDialog(app, sessionId)
  if (format === 'md')
    terminal.print(
      `# ${dialog.title ?? dialog.sessionId}\n\n${dialog.source}, ${dialog.project ?? 'no project'}`,
    )
  else terminal.print(`{"dialog":${JSON.stringify(await app.dialogs.shown(dialog))},"turns":[`)
  let first = true
  for await (const said of app.dialogs.texts.turns(dialog, {
    longestAnswer: Number.POSITIVE_INFINITY,
  })) {
    const turn = withoutSecrets(said)
    if (format === 'md') terminal.print(turnText(turn))
    else terminal.print(`${first ? '' : ','}${JSON.stringify(turn)}`)
    first = false
  }
  if (format === 'json') terminal.print(']}')
}

function turnText({ position, time, request, answers, answer }: Turn): string {
  const question = answers ? `\n\n(answers: ${shownLine(answers, LONGEST_QUESTION)})` : ''
  const asked = `\n## ${position}. ${day(time)}\n\n${request}${question}`
  return answer ? `${asked}\n\n> ${answer.replaceAll('\n', '\n> ')}` : asked
}
