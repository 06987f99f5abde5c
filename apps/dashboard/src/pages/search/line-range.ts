export interface LineRange {
  readonly from: number
  readonly to: number
}

/** `#L10` or `#L10-L20`; undefined for anything else. */
export function rangeIn(hash: string): LineRange | undefined {
  const [, first, last] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? []
  if (first === undefined) return undefined
  const [from, to] = [Number(first), Number(last ?? first)]
  return from <= to ? { from, to } : { from: to, to: from }
}

/** What a click on a line number leads to; with Shift, all from the line that was chosen before. */
export function hashOf(line: number, chosen?: LineRange): string {
  if (!chosen || chosen.from === line) return `#L${line}`
  return line < chosen.from ? `#L${line}-L${chosen.to}` : `#L${chosen.from}-L${line}`
}
