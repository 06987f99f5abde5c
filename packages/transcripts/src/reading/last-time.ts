import type { Line } from './lines.ts'
import { objectOf, parsedOr, timeOf } from './loose-json.ts'

/** Larger lines are not worth reading for a time alone: those around them have one as well. */
const LARGEST = 1 << 18
const MOST_LINES = 20

/** When the last of these lines that has a time was written; 0 where none has. */
export function lastTimeIn(
  lines: readonly Line[],
  { timeOf: timeIn = (line) => objectOf(line).timestamp }: { timeOf?(line: unknown): unknown },
): number {
  for (const { bytes } of lines.slice(-MOST_LINES).reverse()) {
    const time = bytes.length > LARGEST ? undefined : timeOf(timeIn(parsedOr(bytes)))
    if (time !== undefined) return time
  }
  return 0
}
