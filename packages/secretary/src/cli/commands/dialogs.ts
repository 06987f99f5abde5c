import { splitAtWords } from '@secretary-mcp/core/excerpt.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { ShownDialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { shownLine, shownPreview } from '@secretary-mcp/transcripts/preview.ts'
import type { App } from '../../app/app.ts'
import { withoutSecrets } from '../../dialogs/dialog-feed.ts'
import type { RequestPage } from '../../dialogs/read-requests.ts'
import { listDialogs } from '../../dialogs/tools/list-dialogs.ts'
import { listRequests } from '../../dialogs/tools/list-requests.ts'
import { searchRequests } from '../../dialogs/tools/search-requests.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import {
  day,
  requireDialog,
  resolveSession,
  sharedBy,
  shownSessionIds,
  WHERE_DIALOGS_ARE,
} from '../dialog-words.ts'
import { matchingLine } from '../mark-words.ts'
import { table, titled } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'
import { registerDialogSharing } from './share-requests.ts'

const LONGEST_LINE = 100
const HEAD = ['LAST', 'AGENT', 'ASKED', 'SESSION', 'ABOUT']
/** How many requests, which agent. */
const SPARE = [2, 1]

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

type ShownId = (id: string) => string

interface Listed {
  readonly dialogs: readonly ShownDialog[]
  readonly total: number
  readonly note?: string
}

interface Found {
  readonly query: string
  readonly results: readonly {
    readonly sessionId: string
    readonly index: number
    readonly timestamp: number
    readonly request: string
    readonly answers?: string
    readonly space?: string
    readonly by?: string
  }[]
  readonly note?: string
}

function stateOf({ fileGone, archived }: Pick<ShownDialog, 'fileGone' | 'archived'>): string {
  return fileGone ? '(file gone) ' : archived ? '(archived) ' : ''
}

function dialogLines(
  { dialogs, total, note }: Listed,
  terminal: Terminal,
  shownId: ShownId,
): string[] {
  if (dialogs.length === 0)
    return ['No dialogs in this project yet. --everywhere lists all projects.', ...notes(note)]
  const rows = dialogs.map(
    ({ lastSeen, source, requestsCount, sessionId, title, firstRequestPreview = '', ...state }) => [
      day(lastSeen),
      source,
      String(requestsCount),
      terminal.style('cyan', shownId(sessionId)),
      `${stateOf(state)}${title ? shownLine(title, LONGEST_LINE) : shownPreview(firstRequestPreview)}`,
    ],
  )
  const more = total - dialogs.length
  return [
    ...terminal.fitted(
      table(titled(terminal, HEAD, rows), { columns: terminal.columns, spare: SPARE }),
    ),
    ...(more > 0 ? [`… and ${more} more: --limit`] : []),
    ...notes(note),
  ]
}

function requestLines(
  { requests, more, fileGone }: RequestPage,
  { columns, style, fitted }: Terminal,
): string[] {
  if (requests.length === 0) return ['This dialog has no requests yet.']
  const rows = requests.map(({ index, timestamp, preview, title, answers }) => [
    String(index),
    style('dim', day(timestamp)),
    `${title ?? shownPreview(preview)}${questionOf(answers)}`,
  ])
  return [
    ...fitted(table(rows, { columns })),
    ...(fileGone ? ['The agent has deleted its file; these words were kept.'] : []),
    ...(more ? [`… and more: --offset ${requests.at(-1)?.index}`] : []),
  ]
}

function foundLines(
  { results, query, note }: Found,
  terminal: Terminal,
  shownId: ShownId,
): string[] {
  if (results.length === 0) return ['Nothing found.', ...notes(note)]
  const rows = results.map(({ sessionId, index, timestamp, request, answers, ...from }) => [
    terminal.style('cyan', shownId(sessionId)),
    String(index),
    terminal.style('dim', `${day(timestamp)}${sharedBy(from)}`),
    `${matchingLine(terminal, request, query)}${questionOf(answers)}`,
  ])
  return [
    ...terminal.fitted(table(rows, { columns: terminal.columns, spare: [2] })),
    ...notes(note),
  ]
}

/** A bare reply means nothing without it. */
function questionOf(answers: string | undefined): string {
  return answers ? ` (answers: ${shownLine(answers, LONGEST_LINE)})` : ''
}

function notes(note: string | undefined): string[] {
  return note ? [note] : []
}
