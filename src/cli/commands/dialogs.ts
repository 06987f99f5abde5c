import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Result } from '../../core/result.ts'
import type { Turn } from '../../dialogs/dialog.ts'
import { described } from '../../dialogs/dialog-answers.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { table } from '../terminal.ts'

interface Options {
  readonly json?: boolean
  readonly everywhere?: boolean
  readonly source?: string
  readonly limit?: string
  readonly format?: string
}

type Body = Readonly<Record<string, unknown>>

/** What the person asked, for the person; everything but the export goes through the same boundary as an agent's call. */
export const registerDialogs: RegisterCommand = (program, context) => {
  const dialogs = program
    .command('dialogs')
    .description('what was asked, in every agent on this machine')
  const listed = (command: Command) =>
    command
      .option('--everywhere', 'of all projects')
      .option('--source <agent>', 'only with this agent')
      .option('--limit <number>', 'at most this many', '20')
      .option('--json', 'as JSON')

  listed(dialogs.command('list', { isDefault: true }))
    .description('the newest dialogs')
    .action((options: Options, command) =>
      run(context, command, 'list_dialogs', pick(options), options, (body) => dialogLines(body)),
    )
  dialogs
    .command('show [session]')
    .description('the requests of a dialog; of the current one without an id')
    .option('--json', 'as JSON')
    .action((sessionId: string | undefined, options: Options, command) =>
      run(context, command, 'list_requests', { sessionId, limit: 200 }, options, requestLines),
    )
  dialogs
    .command('search <words...>')
    .description('find requests in all dialogs of the project')
    .option('--limit <number>', 'at most this many', '10')
    .option('--json', 'as JSON')
    .action((words: string[], options: Options, command) =>
      run(
        context,
        command,
        'search_requests',
        { query: words.join(' '), limit: numberOf(options.limit) },
        options,
        foundLines,
      ),
    )
  dialogs
    .command('export [session]')
    .description('a dialog with requests and answers; the current one without an id')
    .option('--format <format>', 'md or json', 'md')
    .action((sessionId: string | undefined, options: Options, command) =>
      context.withApp(command, (app) => exportDialog(app, context, sessionId, options.format)),
    )
}

async function run(
  context: CommandContext,
  command: Command,
  tool: string,
  args: object,
  options: Options,
  lines: (body: Body) => string[],
): Promise<void> {
  await context.withApp(command, async (app) => {
    const answer = await app.boundary.call(`copilot_chat_secretary_${tool}`, args, app.localCaller)
    const { result, shape } = answer
    if (!result.success) {
      context.terminal.note(withHint(result))
      process.exitCode = 1
    } else if (options.json) context.terminal.print(answer.text)
    else for (const line of lines(shape.body)) context.terminal.print(line)
  })
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
  for await (const turn of app.dialogs.texts.turns(dialog, {
    longestAnswer: Number.POSITIVE_INFINITY,
  })) {
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

function dialogLines(body: Body): string[] {
  const dialogs = body.dialogs as Record<string, unknown>[]
  if (dialogs.length === 0)
    return ['No dialogs in this project yet. --everywhere looks in all.', ...notes(body)]
  const rows = dialogs.map((dialog) => [
    day(Number(dialog.lastSeen)),
    String(dialog.source),
    String(dialog.requestsCount),
    String(dialog.sessionId),
    oneLine(String(dialog.title ?? dialog.firstRequestPreview ?? '')),
  ])
  const more = Number(body.total) - dialogs.length
  return [
    ...table([['LAST', 'AGENT', 'ASKED', 'SESSION', ''], ...rows]),
    ...(more > 0 ? [`… and ${more} more: --limit`] : []),
    ...notes(body),
  ]
}

function requestLines(body: Body): string[] {
  const requests = body.requests as { index: number; timestamp: number; preview: string }[]
  const rows = requests.map(({ index, timestamp, preview }) => [
    String(index),
    day(timestamp),
    oneLine(preview),
  ])
  return rows.length > 0 ? [...table(rows), ...notes(body)] : ['Nothing was asked in it yet.']
}

function foundLines(body: Body): string[] {
  const results = body.results as {
    sessionId: string
    index: number
    timestamp: number
    request: string
  }[]
  if (results.length === 0) return ['Nothing was found.', ...notes(body)]
  const rows = results.map(({ sessionId, index, timestamp, request }) => [
    sessionId,
    String(index),
    day(timestamp),
    oneLine(request),
  ])
  return [...table(rows), ...notes(body)]
}

function notes(body: Body): string[] {
  return typeof body.note === 'string' ? [body.note] : []
}

function pick({ source, everywhere, limit }: Options): object {
  return {
    ...(source ? { source } : {}),
    ...(everywhere ? { everywhere } : {}),
    limit: numberOf(limit),
  }
}

function numberOf(text = ''): number {
  if (!/^\d+$/.test(text)) throw new UsageError('--limit must be a whole number')
  return Number(text)
}

function withHint({ error = '', errorType }: Result): string {
  return errorType === 'not_found'
    ? `${error}\n  \`secretary dialogs list --everywhere\` shows which there are`
    : error
}

/** As the person's own clock has it. */
function day(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offsetMs).toISOString().slice(0, 16).replace('T', ' ')
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
