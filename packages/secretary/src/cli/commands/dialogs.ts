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

const MAX_LINE = 100
const HEAD = ['LAST', 'AGENT', 'ASKED', 'SESSION', 'ABOUT']
/** How many requests, which agent. */
const SPARE = [2, 1]

const never = new AbortController().signal
const hints = { not_found: WHERE_DIALOGS_ARE }

export const registerDialogs: RegisterCommand = (program, context) => {
  const { terminal } = context
  const dialogs = program
    .command('dialogs')
    .description('list and search what you asked the agents on this machine')
  toolCommand<Listed>(dialogs, context, {
    name: 'list',
    isDefault: true,
    tool: listDialogs,
    lines: async (listed, app) =>
      dialogLines(await toldApart(app, listed), terminal, await shownSessionIds(app, terminal)),
  })
  toolCommand<RequestPage>(dialogs, context, {
    name: 'show',
    tool: listRequests,
    positional: ['sessionId'],
    hints,
    resolve: resolveSession,
    lines: async (page, app) => requestLines(await inFull(app, page, terminal), terminal),
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
    .description('print a dialog with requests and answers; the current one without an id')
    .option('--format <format>', 'md or json', 'md')
    .action((sessionId: string | undefined, options: { format: string }, command) =>
      context.withApp(command, (app) => exportDialog(app, context, sessionId, options.format)),
    )
  registerDialogSharing(dialogs, context)
}

const MAX_QUESTION = 400

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

/** A pipe gets requests whole; a screen their beginnings. */
async function inFull(app: App, page: RequestPage, { columns }: Terminal): Promise<RequestPage> {
  if (columns !== Number.POSITIVE_INFINITY) return page
  const requests = await Promise.all(
    page.requests.map(async (one) => {
      const whole = await app.dialogs
        .getRequest(app.localCaller, one.index, page.sessionId, never)
        .catch(() => undefined)
      const { request } = whole?.value ?? {}
      if (request === undefined) return one
      const { title: _, ...rest } = one
      return { ...rest, preview: redact(request) }
    }),
  )
  return { ...page, requests }
}

/** Dialogs that would look alike say what was asked last. */
async function toldApart(app: App, listed: Listed): Promise<Listed> {
  const labels = listed.dialogs.map(labelOf)
  const dialogs = await Promise.all(
    listed.dialogs.map(async (dialog, at) => {
      const label = labels[at] ?? ''
      if (labels.filter((other) => other === label).length < 2) return dialog
      const { title, firstRequestPreview = '' } = dialog
      const others = listed.dialogs.filter((one) => one !== dialog && labelOf(one) === label)
      const isFirstTelling =
        title !== undefined &&
        others.every((one) => one.firstRequestPreview !== firstRequestPreview)
      const telling = isFirstTelling ? firstRequestPreview : await lastRequest(app, dialog)
      return telling === '' ? dialog : { ...dialog, title: `${label} · ${telling}` }
    }),
  )
  return { ...listed, dialogs }
}

function labelOf({ title, firstRequestPreview = '' }: ShownDialog): string {
  return title ?? shownPreview(firstRequestPreview)
}

/** Empty where it is the first as well. */
async function lastRequest(app: App, { sessionId, requestsCount }: ShownDialog): Promise<string> {
  if (requestsCount < 2) return ''
  const found = await app.dialogs
    .listRequests(app.localCaller, { sessionId, limit: 1, offset: requestsCount - 1 }, never)
    .catch(() => undefined)
  const last = found?.value?.requests[0]
  return last ? (last.title ?? shownPreview(last.preview)) : ''
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
  const question = answers ? `\n\n(answers: ${shownLine(answers, MAX_QUESTION)})` : ''
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
      `${stateOf(state)}${title ? shownLine(title, Math.max(MAX_LINE, terminal.columns)) : shownPreview(firstRequestPreview)}`,
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
  const beginning = columns === Number.POSITIVE_INFINITY ? String : shownPreview
  const rows = requests.map(({ index, timestamp, preview, title, answers }) => [
    String(index),
    style('dim', day(timestamp)),
    `${title ?? beginning(preview)}${questionOf(answers)}`,
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
  return answers ? ` (answers: ${shownLine(answers, MAX_LINE)})` : ''
}

function notes(note: string | undefined): string[] {
  return note ? [note] : []
}
