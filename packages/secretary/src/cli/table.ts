import type { Terminal } from './terminal.ts'
import { cutToWidth, padToWidth, textWidth } from './visible-text.ts'

interface TableShape {
  /** How wide it may be; the last column takes what the others leave. */
  readonly columns?: number
  /** Columns that are left out where room is short, the least needed one first. */
  readonly spare?: readonly number[]
}

const GAP = 2
const LEAST_LAST = 16
const LEAST_OTHER = 12

/** Columns as wide as their longest cell, as far as there is room. */
export function table(
  rows: readonly (readonly string[])[],
  { columns = Number.POSITIVE_INFINITY, spare = [] }: TableShape = {},
): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => textWidth(row[at] ?? ''))),
  )
  let shown = widths.map((_, at) => at)
  for (const one of spare)
    if (lacking(shown, widths, columns) > 0) shown = shown.filter((at) => at !== one)
  for (
    let lacks = lacking(shown, widths, columns);
    lacks > 0;
    lacks = lacking(shown, widths, columns)
  ) {
    const widest = shown
      .slice(0, -1)
      .reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), 0)
    const width = widths[widest] ?? 0
    if (width <= LEAST_OTHER) break
    widths[widest] = Math.max(LEAST_OTHER, width - lacks)
  }
  return rows.map((row) =>
    lineOf(
      shown.map((at) =>
        cutToWidth(
          row[at] ?? '',
          at === shown.at(-1) ? Number.POSITIVE_INFINITY : (widths[at] ?? 0),
        ),
      ),
      shown.map((at) => widths[at] ?? 0),
    ),
  )
}

/** Rows under the titles of their columns. */
export function titled(
  { style }: Pick<Terminal, 'style'>,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): (readonly string[])[] {
  return [head.map((title) => style('dim', title)), ...rows]
}

/** How many columns are missing for the last one to say something. */
function lacking(shown: readonly number[], widths: readonly number[], columns: number): number {
  const others = shown.slice(0, -1).reduce((sum, at) => sum + (widths[at] ?? 0) + GAP, 0)
  const last = widths[shown.at(-1) ?? 0] ?? 0
  return others + Math.min(last, LEAST_LAST) - columns
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, at) => (at === cells.length - 1 ? cell : padToWidth(cell, widths[at] ?? 0)))
    .join(' '.repeat(GAP))
    .trimEnd()
}
