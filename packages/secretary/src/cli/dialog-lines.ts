import type { ShownDialog } from '@secretary-mcp/transcripts/dialog.ts'
import { shownLine, shownPreview } from '@secretary-mcp/transcripts/preview.ts'
import type { RequestPage } from '../dialogs/read-requests.ts'
import { day, sharedBy } from './dialog-words.ts'
import { matchingLine } from './mark-words.ts'
import { table, titled } from './table.ts'
import type { Terminal } from './terminal.ts'

type ShownId = (id: string) => string

export interface Listed {
  readonly dialogs: readonly ShownDialog[]
  readonly total: number
  readonly note?: string
}

export interface Found {
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

const LONGEST_LINE = 100
const HEAD = ['LAST', 'AGENT', 'ASKED', 'SESSION', 'ABOUT']
/** How many requests, which agent. */
const SPARE = [2, 1]

function stateOf({ fileGone, archived }: Pick<ShownDialog, 'fileGone' | 'archived'>): string {
  return fileGone ? '(file gone) ' : archived ? '(archived) ' : ''
}

export function dialogLines(
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

export function requestLines(
  { requests, more, fileGone }: RequestPage,
  { columns, style, fitted }: Terminal,
): string[] {
  if (requests.length === 0) return ['This dialog has no requests yet.']
  const rows = requests.map(({ index, timestamp, preview, answers }) => [
    String(index),
    style('dim', day(timestamp)),
    `${shownPreview(preview)}${questionOf(answers)}`,
  ])
  return [
    ...fitted(table(rows, { columns })),
    ...(fileGone ? ['The agent has deleted its file; these words were kept.'] : []),
    ...(more ? [`… and more: --offset ${requests.at(-1)?.index}`] : []),
  ]
}

export function foundLines(
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
