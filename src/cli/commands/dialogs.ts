import type { App } from '../../app.ts'
import type { ShownDialog, Turn } from '../../dialogs/dialog.ts'
import { described } from '../../dialogs/dialog-answers.ts'
import { withoutSecrets } from '../../dialogs/dialog-feed.ts'
import { shownLine, shownPreview } from '../../dialogs/preview.ts'
import type { RequestPage } from '../../dialogs/read-requests.ts'
import { listDialogs } from '../../dialogs/tools/list-dialogs.ts'
import { listRequests } from '../../dialogs/tools/list-requests.ts'
import { searchRequests } from '../../dialogs/tools/search-requests.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { table } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'

const LONGEST_LINE = 100

interface Listed {
  readonly dialogs: readonly ShownDialog[]
  readonly total: number
  readonly note?: string
}

interface Found {
  readonly results: readonly {
    readonly sessionId: string
    readonly index: number
    readonly timestamp: number
    readonly request: string
  }[]
  readonly note?: string
}

const hints = { not_found: '`secretary dialogs list --everywhere` lists them' }

export const registerDialogs: RegisterCommand = (program, context) => {
  const dialogs = program
    .command('dialogs')
    .description('what you asked the agents on this machine')
  toolCommand<Listed>(dialogs, context, {
    name: 'list',
    isDefault: true,
    tool: listDialogs,
    lines: dialogLines,
  })
  toolCommand<RequestPage>(dialogs, context, {
    name: 'show',
    tool: listRequests,
    positional: ['sessionId'],
    hints,
    lines: requestLines,
  })
  toolCommand<Found>(dialogs, context, {
    name: 'search',
    tool: searchRequests,
    positional: ['query...'],
    lines: foundLines,
  })
  dialogs
    .command('export [session]')
    .description('a dialog with requests and answers; the current one without an id')
    .option('--format <format>', 'md or json', 'md')
    .action((sessionId: string | undefined, options: { format: string }, command) =>
      context.withApp(command, (app) => exportDialog(app, context, sessionId, options.format)),
    )
}

async function exportDialog(
  app: App,
  { terminal }: CommandContext,
  sessionId: string | undefined,
  format = 'md',
): Promise<void> {
  if (format !== 'md' && format !== 'json') throw new UsageError('--format must be md or json')
  const dialog = await app.dialogs.require(app.localCaller, sessionId, new AbortController().signal)
  if (format === 'md')
    terminal.print(
      `# ${dialog.title ?? dialog.sessionId}\n\n${dialog.source}, ${dialog.project ?? 'no project'}`,
    )
  else terminal.print(`{"dialog":${JSON.stringify(described(dialog))},"turns":[`)
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

function turnText({ position, time, request, answer }: Turn): string {
  const asked = `\n## ${position}. ${day(time)}\n\n${request}`
  return answer ? `${asked}\n\n> ${answer.replaceAll('\n', '\n> ')}` : asked
}

function dialogLines({ dialogs, total, note }: Listed): string[] {
  if (dialogs.length === 0)
    return ['No dialogs in this project yet. --everywhere lists all projects.', ...notes(note)]
  const rows = dialogs.map(
    ({ lastSeen, source, requestsCount, sessionId, title, firstRequestPreview = '', fileGone }) => [
      day(lastSeen),
      source,
      String(requestsCount),
      sessionId,
      `${title ? shownLine(title, LONGEST_LINE) : shownPreview(firstRequestPreview)}${fileGone ? ' (file gone)' : ''}`,
    ],
  )
  const more = total - dialogs.length
  return [
    ...table([['LAST', 'AGENT', 'ASKED', 'SESSION', ''], ...rows]),
    ...(more > 0 ? [`… and ${more} more: --limit`] : []),
    ...notes(note),
  ]
}

function requestLines({ requests, more, fileGone }: RequestPage): string[] {
  if (requests.length === 0) return ['This dialog has no requests yet.']
  const rows = requests.map(({ index, timestamp, preview }) => [
    String(index),
    day(timestamp),
    shownPreview(preview),
  ])
  const gone = fileGone ? ['The agent has deleted its file; these words were kept.'] : []
  return [
    ...table(rows),
    ...gone,
    ...(more ? [`… and more: --offset ${requests.at(-1)?.index}`] : []),
  ]
}

function foundLines({ results, note }: Found): string[] {
  if (results.length === 0) return ['Nothing found.', ...notes(note)]
  const rows = results.map(({ sessionId, index, timestamp, request }) => [
    sessionId,
    String(index),
    day(timestamp),
    shownLine(request, LONGEST_LINE),
  ])
  return [...table(rows), ...notes(note)]
}

function notes(note: string | undefined): string[] {
  return note ? [note] : []
}

/** As the person's own clock has it. */
function day(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offsetMs).toISOString().slice(0, 16).replace('T', ' ')
}
