import type { Match, PresentLine } from './match-lines.ts'

/** What git shows of a commit when it is made. */
export const SHORT_HASH = 7

/**
 * Lines between others take their request: braces and blanks as exact as their neighbours, lines that a formatter or a person
 * changed afterwards as similar. Only within what one commit brought, and only where the neighbours agree; what was only found with
 * other indentation goes to the request that the commit's other lines, or the commit itself, came from.
 */
export function fillGaps(
  lines: readonly PresentLine[],
  matches: readonly (Match | undefined)[],
  committers: ReadonlyMap<string, string> = new Map(),
): (Match | undefined)[] {
  const strong = matches.map((match) => (match?.isWeak ? undefined : match))
  const filled = [...matches]
  for (const { start, end } of hunksOf(lines)) {
    const requests = new Set(strong.slice(start, end).flatMap((match) => match?.request ?? []))
    for (let place = start; place < end; place++) {
      if (strong[place] !== undefined) continue
      const above = nearest(strong, place, -1, start - 1)
      const below = nearest(strong, place, 1, end)
      const isTrivial = lines[place]?.isTrivial === true
      // What was found elsewhere says nothing about the lines beside it.
      const isSure = above?.evidence !== 'moved' && below?.evidence !== 'moved'
      const isAgreed =
        isTrivial || (isSure && (requests.size === 1 || above?.request === below?.request))
      const neighbour = isAgreed ? (above ?? below) : undefined
      const request =
        neighbour?.request ?? (matches[place] && ofCommit(lines, strong, place, committers))
      if (request !== undefined)
        filled[place] = {
          request,
          evidence: isTrivial && neighbour ? neighbour.evidence : 'similar',
        }
    }
  }
  return filled.map((match) => (match?.isStale ? undefined : match))
}

/** The nearest line of the same commit that is sure of its request; else the request that made the commit. */
function ofCommit(
  lines: readonly PresentLine[],
  strong: readonly (Match | undefined)[],
  place: number,
  committers: ReadonlyMap<string, string>,
): string | undefined {
  const commit = lines[place]?.blamed?.commit
  if (commit === undefined) return undefined
  let best: { request: string; far: number } | undefined
  for (const [other, match] of strong.entries()) {
    const far = Math.abs(other - place)
    if (match && lines[other]?.blamed?.commit === commit && far < (best?.far ?? Infinity))
      best = { request: match.request, far }
  }
  return best?.request ?? committers.get(commit.slice(0, SHORT_HASH))
}

/** Stretches of lines that one commit brought, or that are not committed. */
function hunksOf(lines: readonly PresentLine[]): { start: number; end: number }[] {
  const hunks: { start: number; end: number }[] = []
  for (const [place, line] of lines.entries()) {
    const last = hunks.at(-1)
    const isSame = place > 0 && lines[place - 1]?.blamed?.commit === line.blamed?.commit
    if (last && isSame) last.end = place + 1
    else hunks.push({ start: place, end: place + 1 })
  }
  return hunks
}

function nearest(
  matches: readonly (Match | undefined)[],
  from: number,
  step: number,
  stop: number,
): Match | undefined {
  for (let place = from + step; place !== stop; place += step)
    if (matches[place]) return matches[place]
  return undefined
}
