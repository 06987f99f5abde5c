import type { Ledger } from '../../dialogs/ledger/ledger.ts'
import type { LedgerEntry } from '../../dialogs/ledger/ledger-entry.ts'
import { shownLine } from '../../dialogs/preview.ts'
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
  const { index, state, against, request, files, ended, commits, clauses = [] } = entry
  const doubts = against.length > 0 ? ` ${style('yellow', `(${against.join(', ')})`)}` : ''
  const changed = files.map(
    ({ path, plus, minus, standing }) =>
      `    ${path} ${style('green', `+${plus}`)} ${style('red', `-${minus}`)}${standing === undefined ? '' : `, ${Math.round(standing * 100)} % still there`}`,
  )
  const open = clauses.filter(({ evidence }) => evidence.length === 0)
  return [
    `${style('cyan', `${index}. ${state}`)}${doubts}  ${oneLine(request)}`,
    ...changed,
    ...[...ended, ...commits.map((commit) => `commit ${commit}`)].map((line) => `    ${line}`),
    ...open.map(({ clause }) => `    no evidence: ${oneLine(clause)}`),
  ]
}

function oneLine(text: string): string {
  return shownLine(text, LONGEST_LINE)
}
