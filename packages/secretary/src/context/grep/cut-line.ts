export const LONGEST_LINE = 300
const MARK = '…'
const LEAD = 80

/** A line as it is shown: of a long one the stretch around the match, with a mark at each cut. `at` counts from 0. */
export function cutLine(line: string, at = 0): string {
  if (line.length <= LONGEST_LINE) return line
  const from = wholeSign(
    line,
    at <= LONGEST_LINE - LEAD ? 0 : Math.min(at - LEAD, line.length - LONGEST_LINE),
  )
  const to = wholeSign(line, Math.min(from + LONGEST_LINE, line.length))
  return `${from > 0 ? MARK : ''}${line.slice(from, to)}${to < line.length ? MARK : ''}`
}

/** A cut between the two halves of a character would leave a broken one on each side. */
function wholeSign(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? '') ? at + 1 : at
}
