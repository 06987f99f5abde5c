import type { Ledger, LedgerEntry } from '../../dialogs/ledger/ledger.ts'
import { ledgerTool } from '../../dialogs/tools/ledger.ts'
import type { RegisterCommand } from '../command-context.ts'
import { firstWords } from '../dialog-words.ts'
import { toolCommand } from '../tool-command.ts'

export const registerLedger: RegisterCommand = (program, context) => {
  toolCommand<Ledger>(program, context, {
    name: 'ledger',
    tool: ledgerTool,
    positional: ['sessionId'],
    lines: ({ entries, more }) => [
      ...entries.flatMap((entry) =>
        entryLines(entry, (text) => context.terminal.style('cyan', text)),
      ),
      ...(more ? [more] : []),
    ],
  })
}

function entryLines(entry: LedgerEntry, marked: (text: string) => string): string[] {
  const { index, state, against, request, files, ended, commits, clauses = [] } = entry
  const doubts = against.length > 0 ? ` (${against.join(', ')})` : ''
  const changed = files.map(
    ({ path, plus, minus, standing }) =>
      `    ${path} +${plus} -${minus}${standing === undefined ? '' : `, ${Math.round(standing * 100)} % still there`}`,
  )
  const open = clauses.filter(({ evidence }) => evidence.length === 0)
  return [
    `${marked(`${index}. ${state}${doubts}`)}  ${firstWords(request, 120)}`,
    ...changed,
    ...[...ended, ...commits.map((commit) => `commit ${commit}`)].map((line) => `    ${line}`),
    ...open.map(({ clause }) => `    no evidence: ${firstWords(clause, 120)}`),
  ]
}
