import { isPlaceholder } from './generated.ts'
import { isLabelWord, meaningOf } from './named-values.ts'
import type { Span } from './span.ts'

const HEADER = /(?:^|[,;|\t"' ])(?:[\w ]{0,20}(?:passw|pwd|secret))/i
/** Rows below a header that are looked at; nobody pastes more people than this. */
const MAX_ROWS = 500
const MAX_LINE = 600

interface Cell {
  readonly start: number
  readonly text: string
}

/** Lists with a header, separated by commas, tabs or bars: what is below `password` is one. */
export function findColumns(text: string): Span[] {
  const found: Span[] = []
  if (!HEADER.test(text)) return found
  let columns: { readonly count: number; readonly index: number; rows: number } | undefined
  let delimiter = ','
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = end - at > MAX_LINE ? '' : text.slice(at, end)
    const header = headerOf(line)
    if (header) {
      delimiter = header.delimiter
      columns = { ...header, rows: 0 }
    } else if (columns && line !== '') {
      const cells = cellsOf(line, delimiter, at)
      const cell = cells[columns.index]
      if (cells.length !== columns.count || columns.rows++ > MAX_ROWS) columns = undefined
      else if (cell && isColumnSecret(cell.text))
        found.push({ start: cell.start, end: cell.start + cell.text.length, kind: 'password' })
    } else columns = undefined
    at = end + 1
  }
  return found
}

function headerOf(line: string): { delimiter: string; count: number; index: number } | undefined {
  if (!HEADER.test(line)) return undefined
  const delimiter = ['\t', '|', ';', ','].find((sign) => line.includes(sign))
  if (!delimiter) return undefined
  const cells = cellsOf(line, delimiter, 0)
  if (cells.length < 2 || !cells.every(({ text }) => /^[A-Za-z][\w .-]{0,40}$|^$/.test(text)))
    return undefined
  const index = cells.findIndex(({ text }) => meaningOf(text)?.promise === 'password')
  const isOfPeople = cells.some(({ text }) =>
    /^(?:user|login|e-?mail|name|host|account)/i.test(text),
  )
  return index < 0 || !isOfPeople ? undefined : { delimiter, count: cells.length, index }
}

function cellsOf(line: string, delimiter: string, from: number): Cell[] {
  let start = from
  return line.split(delimiter).map((cell) => {
    const text = cell.trim().replace(/^["'`](.{0,500})["'`]$/, '$1')
    const at = start + Math.max(0, cell.indexOf(text))
    start += cell.length + delimiter.length
    return { start: at, text }
  })
}

function isColumnSecret(value: string): boolean {
  if (value.length < 4 || value.length > 200 || /\s/.test(value) || isPlaceholder(value))
    return false
  return !/^[-:=*$%<{[]/.test(value) && !isLabelWord(value)
}
