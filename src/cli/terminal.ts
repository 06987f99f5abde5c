import { styleText } from 'node:util'
import { ownColour, visibleText } from './visible-text.ts'

type Style = Parameters<typeof styleText>[0]

/** Where commands print: the only writer to standard output besides the protocol. */
export interface Terminal {
  print(line: string): void
  /** Notes and errors, apart from what a pipe would read. */
  note(line: string): void
  style(style: Style, text: string): string
  readonly interactive: boolean
}

export function createTerminal(noColor: boolean): Terminal {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const colours = process.stdout.isTTY === true && !noColor
  return {
    print: (line) => void process.stdout.write(`${visibleText(line)}\n`),
    note: (line) => void process.stderr.write(`${visibleText(line)}\n`),
    style: (style, text) => (colours ? ownColour(styleText(style, visibleText(text))) : text),
    interactive: process.stdout.isTTY === true && process.stdin.isTTY === true,
  }
}

/** Columns as wide as their longest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
