import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import type { Ledger } from '../../dialogs/ledger/ledger.ts'
import type { LedgerCommit, LedgerEntry } from '../../dialogs/ledger/ledger-entry.ts'
import { ledgerTool } from '../../dialogs/tools/ledger.ts'
import type { RegisterCommand } from '../command-context.ts'
import { resolveSession, WHERE_DIALOGS_ARE } from '../dialog-words.ts'
import type { Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'

const LONGEST_LINE = 400

export const registerLedger: RegisterCommand = (program, context) => {
  toolCommand<Ledger>(program, context, {
    name: 'ledger',
    tool: ledgerTool,
    positional: ['sessionId'],
    resolve: resolveSession,
    hints: { not_found: WHERE_DIALOGS_ARE },
    lines: ({ entries, more, by, space }) => [
      ...(by === undefined ? [] : [`Shared by ${by} with ${space}`]),
      ...context.terminal.fitted(entries.flatMap((entry) => entryLines(entry, context.terminal))),
      ...(more ? [more] : []),
    ],
  })
}

function entryLines(entry: LedgerEntry, { style }: Terminal): string[] {
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

function oneLine(text: string): string {
  return shownLine(text, LONGEST_LINE)
}
