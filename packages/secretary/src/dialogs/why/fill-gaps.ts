import type { Match, PresentLine } from './match-lines.ts'

/** Braces and blanks take the request of the lines around them, within what one commit brought and only if both sides agree. */
export function fillGaps(
  lines: readonly PresentLine[],
  matches: readonly (Match | undefined)[],
): (Match | undefined)[] {
  const sure = matches.map((match) => (match?.isStale ? undefined : match))
  const above = nearestSure(lines, sure)
  const below = nearestSure([...lines].reverse(), [...sure].reverse()).reverse()
  return sure.map((match, index) => {
    if (match || lines[index]?.isTrivial !== true) return match
    const [before, after] = [above[index], below[index]]
    return before && after && before.request !== after.request ? undefined : (before ?? after)
  })
}

/** For each line the last match before it that the same commit brought. */
function nearestSure(
  lines: readonly PresentLine[],
  matches: readonly (Match | undefined)[],
): (Match | undefined)[] {
  let nearest: Match | undefined
  return lines.map((line, index) => {
    const before = index > 0 ? lines[index - 1] : undefined
    if (before && before.blamed?.commit !== line.blamed?.commit) nearest = undefined
    const found = nearest
    nearest = matches[index] ?? nearest
    return found
  })
}
