import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import type { Ledger } from '../../dialogs/ledger/ledger.ts'
import type { LedgerCommit, LedgerEntry } from '../../dialogs/ledger/ledger-entry.ts'
import { ledgerTool } from '../../dialogs/tools/ledger.ts'
import { momentOf } from '../../find/find.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { day, resolveSession, shownSessionIds, WHERE_DIALOGS_ARE } from '../dialog-words.ts'
import { reportScan } from '../progress-reporter.ts'
import type { Terminal } from '../terminal.ts'
import { type Chosen, toolCommand } from '../tool-command.ts'

const MAX_LINE = 400

export const registerLedger: RegisterCommand = (program, context) => {
  toolCommand<Ledger>(program, context, {
    name: 'ledger',
    tool: ledgerTool,
    positional: ['sessionId'],
    resolve: resolveSession,
    hints: { not_found: WHERE_DIALOGS_ARE },
    instead: (chosen) =>
      chosen.options.since !== undefined || chosen.options.open
        ? acrossDialogs(context, chosen)
        : undefined,
    lines: ({ entries, more, by, space }) => [
      ...(by === undefined ? [] : [`Shared by ${by} with ${space}`]),
      ...context.terminal.fitted(entries.flatMap((entry) => entryLines(entry, context.terminal))),
      ...(more ? [`… and more: --offset ${entries.at(-1)?.index}`] : []),
    ],
  })
    .option('--since <time>', 'requests of all dialogs since then: 7d, 2w or 2026-11-01')
    .option('--open', 'only requests that are not finished; of the last 7 days without --since')
}

const DEFAULT_SINCE = '7d'
const never = new AbortController().signal

/** What no tool does: the requests of every dialog of the project, the latest first. */
function acrossDialogs(
  { terminal, withApp }: CommandContext,
  { args, options, command }: Chosen,
): Promise<void> {
  const { since = DEFAULT_SINCE, open, json } = options
  const from = momentOf(String(since), Date.now())
  if (from === undefined)
    throw new UsageError(`--since: “${String(since)}” is no time; try 7d, 2w or 2026-11-01`)
  if (args.sessionId !== undefined)
    throw new UsageError('--since and --open look at all dialogs; leave the session out')
  return withApp(command, async (app) => {
    const scan = reportScan(() => app.dialogs.index.unread.note)
    const wanted = { since: from, isOpen: open === true, limit: Number(args.limit) }
    const found = await app.dialogs.deeds
      .askedSince(app.localCaller, wanted, never)
      .finally(scan.end)
    if (json) return terminal.print(JSON.stringify(found))
    const shownId = await shownSessionIds(app, terminal)
    const lines = found.requests.flatMap((entry) => [
      terminal.style('dim', `${day(entry.timestamp)}  ${entry.source} ${shownId(entry.sessionId)}`),
      ...entryLines(entry, terminal),
    ])
    terminal.list(lines.length > 0 ? lines : ['Nothing found.'])
    const more = found.total - found.requests.length
    if (more > 0) terminal.print(`… and ${more} more: --limit`)
    if (found.note) terminal.note(found.note)
  })
}

function entryLines(entry: LedgerEntry, { style, columns }: Terminal): string[] {
  const oneLine = (text: string) => shownLine(text, Math.max(columns, MAX_LINE))
  const { index, state, title, request, files, ended, commits, clauses = [] } = entry
  const against = entry.against.map((doubt) =>
    doubt === 'replaced' ? `replaced by ${entry.replacedBy}` : doubt,
  )
  const doubts = against.length > 0 ? ` ${style('yellow', `(${against.join(', ')})`)}` : ''
  const changed = files.map(
    ({ path, plus, minus, standing, undone }) =>
      `    ${path} ${style('green', `+${plus}`)} ${style('red', `-${minus}`)}${undone ? ', undone' : standing === undefined ? '' : `, ${Math.round(standing * 100)} % still there`}`,
  )
  const open = clauses.filter(({ evidence }) => evidence.length === 0)
  return [
    `${style('cyan', `${index}. ${state}`)}${doubts}  ${title ?? oneLine(request)}`,
    ...(entry.answers ? [`    answers: ${oneLine(entry.answers)}`] : []),
    ...changed,
    ...[...ended, ...commits.map(commitLine)].map((line) => `    ${line}`),
    ...open.map(({ clause }) => `    no evidence: ${oneLine(clause)}`),
  ]
}

function commitLine({ sha, subject, onCurrentBranch }: LedgerCommit): string {
  const where = onCurrentBranch === false ? ' (not on the current branch)' : ''
  return `commit ${[sha, subject].filter(Boolean).join(' ')}${where}`
}
