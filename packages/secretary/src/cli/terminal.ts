import { styleText } from 'node:util'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { cutToWidth, escapedText, ownColour, visibleText } from './visible-text.ts'

type Style = Parameters<typeof styleText>[0]

/** Where commands print: the only writer to standard output besides the protocol. */
export interface Terminal {
  print(line: string): void
  /** Lines of a list, each cut where the screen ends; a pipe gets them whole. */
  fitted(lines: readonly string[]): readonly string[]
  list(lines: readonly string[]): void
  /** Notes and errors, apart from what a pipe would read. */
  note(line: string): void
  style(style: Style, text: string): string
  readonly hasColours: boolean
  /** How long a line can be: without end on a pipe. */
  readonly columns: number
  readonly interactive: boolean
}

const USUAL_COLUMNS = 80

export function createTerminal(noColor: boolean): Terminal {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const isTerminal = process.stdout.isTTY === true
  const hasColours = !noColor && wantsColours(isTerminal)
  const columns = isTerminal ? process.stdout.columns || USUAL_COLUMNS : Number.POSITIVE_INFINITY
  const print = (line: string) => void process.stdout.write(`${visibleText(line)}\n`)
  const fitted = (lines: readonly string[]) =>
    lines.map((line) =>
      isTerminal ? cutToWidth(oneLine(line.replaceAll('\t', '    ')), columns) : oneLine(line),
    )
  return {
    print,
    fitted,
    list(lines) {
      for (const line of fitted(lines)) print(line)
    },
    note: (line) => void process.stderr.write(`${visibleText(line)}\n`),
    style: (style, text) =>
      hasColours && text !== ''
        ? ownColour(styleText(style, escapedText(text), { validateStream: false }))
        : text,
    hasColours,
    columns,
    interactive: isTerminal && process.stdin.isTTY === true,
  }
}

/** As no-color.org and force-color.org have it. */
function wantsColours(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment()
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false
  return FORCE_COLOR ? true : isTerminal && TERM !== 'dumb'
}

/** A row is one line, also on a pipe: no text in it can pass for the next row. */
export function oneLine(text: string): string {
  return escapedText(
    text.replace(/(?<!\s)\s+/g, (gap) => (/[\n\r\u2028\u2029]/.test(gap) ? ' ' : gap)),
  )
}
