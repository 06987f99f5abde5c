import { setImmediate } from 'node:timers/promises'
import { isTelling, isTrivial, printOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { isWhile } from '../ledger/commits.ts'
import type { Blamed } from './blame.ts'

export type Evidence = 'exact' | 'moved'

/** A change that somebody asked for, with the lines it brought in their order. */
export interface Edit {
  /** The same for all edits that one request led to. */
  readonly request: string
  readonly time: number
  readonly came: readonly { readonly print: number; readonly indent: number }[]
}

export interface Match {
  readonly request: string
  readonly evidence: Evidence
  /** Lay uncommitted for so long that somebody else may have written it again: worth nothing by itself. */
  readonly isStale?: boolean
}

export interface PresentLine {
  readonly text: string
  readonly print: number
  readonly indent: number
  readonly isTrivial: boolean
  readonly isTelling: boolean
  readonly blamed?: Blamed
}

/** A commit that an agent was seen to make. */
export interface MadeCommit {
  readonly sessionId: string
  readonly time: number
  /** As git printed it, and as the message began. */
  readonly sha?: string
  readonly subject?: string
}

/** The sessions that were seen to make the commit of a line; none if it is not known who did. */
export function makersOf(blamed: Blamed | undefined, commits: readonly MadeCommit[]): Set<string> {
  const makers = commits.filter(({ sha, subject, time }) =>
    sha !== undefined && blamed?.commit.startsWith(sha)
      ? true
      : blamed?.subject !== undefined &&
        subject === blamed.subject &&
        isWhile(time, blamed.authoredMs),
  )
  return new Set(makers.map(({ sessionId }) => sessionId))
}

interface Candidate {
  readonly edit: Edit
  readonly place: number
  readonly around: number
}

/** A commit's time is that of a clock without fractions, and a commit may be begun before the last edit is noted. */
const TOLERANCE_MS = 30_000
/** What an agent wrote and did not commit overnight is seldom what another committed the next day. */
const STALE_MS = 12 * 3_600_000
/** How far to both sides the neighbours of a line are compared. */
const REACH = 6
/** Neighbours that must match along with a line. */
const MIN_AROUND = 2
/** A line that more requests than this wrote elsewhere says nothing by itself. */
const MAX_OWNERS = 2

/** A line as common as a brace is compared with this many of its writings. */
const MAX_WRITINGS = 50
/** Others get their turn at least this often. */
const MAX_TURN_MS = 20

export function presentLines(
  texts: readonly string[],
  blamed: readonly (Blamed | undefined)[] | undefined,
): PresentLine[] {
  return texts.map((text, place) => ({
    text,
    ...printOf(text),
    isTrivial: isTrivial(text),
    isTelling: isTelling(text),
    ...(blamed?.[place] ? { blamed: blamed[place] } : {}),
  }))
}

/** The request behind each line that an edit of this file brought. */
export function matchHere(
  lines: readonly PresentLine[],
  edits: readonly Edit[],
  commits: readonly MadeCommit[] = [],
): Promise<(Match | undefined)[]> {
  return match(lines, edits, (all, line) => {
    const since = line.blamed?.sinceMs ?? 0
    const isSame = ({ edit, place }: Candidate) => edit.came[place]?.indent === line.indent
    const isRecent = ({ edit }: Candidate) => edit.time >= since
    const [recent, older] = split(all.filter(isSame), isRecent)
    // Written before the file's last commit but one: only with all its neighbours is it not a repetition.
    const kept = older.filter(({ around }) => around >= REACH)
    const best = newestOf(bestAround(recent)) ?? newestOf(bestAround(kept))
    return (
      best && {
        request: best.edit.request,
        evidence: 'exact',
        ...(isStale(best.edit, line, commits) ? { isStale: true } : {}),
      }
    )
  })
}

/** The same for lines that were written elsewhere: only what cannot be a coincidence. */
export function matchMoved(
  lines: readonly PresentLine[],
  edits: readonly Edit[],
  commits: readonly MadeCommit[] = [],
): Promise<(Match | undefined)[]> {
  return match(lines, edits, (written, line) => {
    const makers = makersOf(line.blamed, commits)
    const { authoredMs = 0, sinceMs = 0 } = line.blamed ?? {}
    // What another session brought here, or somebody long after it was written, is a copy rather than a move.
    const all = written.filter(
      ({ edit }) =>
        edit.time >= Math.max(sinceMs, authoredMs - STALE_MS) &&
        (makers.size === 0 || makers.has(sessionOf(edit.request))),
    )
    const owners = new Set(all.map(({ edit }) => edit.request))
    const isClose = all.some(({ around }) => around >= REACH)
    if (!line.isTelling || (!isClose && owners.size > MAX_OWNERS)) return undefined
    const best = newestOf(bestAround(all))
    const isSure = best !== undefined && (best.around >= MIN_AROUND || owners.size === 1)
    return isSure ? { request: best.edit.request, evidence: 'moved' } : undefined
  })
}

async function match(
  lines: readonly PresentLine[],
  edits: readonly Edit[],
  decide: (candidates: readonly Candidate[], line: PresentLine) => Match | undefined,
): Promise<(Match | undefined)[]> {
  const written = new Map<number, { edit: Edit; place: number }[]>()
  for (const edit of edits)
    for (const [place, { print }] of edit.came.entries()) {
      const places = written.get(print)
      if (places) places.push({ edit, place })
      else written.set(print, [{ edit, place }])
    }
  const telling = lines.flatMap((line, place) => (line.isTrivial ? [] : [place]))
  const prints = telling.map((place) => lines[place]?.print ?? 0)
  const matches: (Match | undefined)[] = lines.map(() => undefined)
  // A line that the file has a thousand times would be looked up as often among a thousand writings.
  const looked = new Map<string, { edit: Edit; place: number }[]>()
  const writingsOf = (line: PresentLine, all: readonly { edit: Edit; place: number }[]) => {
    const { authoredMs, committedMs } = line.blamed ?? {}
    const key = `${line.print}/${authoredMs}/${committedMs}`
    const known = looked.get(key) ?? closest(inTime(all, line.blamed))
    looked.set(key, known)
    return known
  }
  let turnMs = performance.now()
  for (const [order, place] of telling.entries()) {
    if (performance.now() - turnMs > MAX_TURN_MS) {
      await setImmediate()
      turnMs = performance.now()
    }
    const line = lines[place]
    const all = line && written.get(line.print)
    if (!all) continue
    const candidates = writingsOf(line, all).map(({ edit, place: at }) => ({
      edit,
      place: at,
      around: aroundOf(prints, order, edit, at),
    }))
    if (candidates.length > 0) matches[place] = decide(candidates, line)
  }
  return matches
}

/** A committed line was written before its commit; an amended or rebased one before it was committed again. */
function inTime<T extends { edit: Edit }>(all: readonly T[], blamed: Blamed | undefined): T[] {
  if (!blamed) return [...all]
  const before = (ms: number) => all.filter(({ edit }) => edit.time <= ms + TOLERANCE_MS)
  const authored = before(blamed.authoredMs)
  return authored.length > 0 ? authored : before(blamed.committedMs)
}

/** A line as common as a brace in some code would be compared with thousands: the newest are enough. */
function closest<T extends { edit: Edit }>(all: T[]): T[] {
  return all.length <= MAX_WRITINGS
    ? all
    : all.sort((a, b) => b.edit.time - a.edit.time).slice(0, MAX_WRITINGS)
}

function aroundOf(prints: readonly number[], order: number, { came }: Edit, place: number): number {
  let around = 0
  for (const step of [-1, 1])
    for (let far = 1; far <= REACH; far++) {
      const here = prints[order + step * far]
      if (here === undefined || here !== came[place + step * far]?.print) break
      around++
    }
  return around
}

/** Two neighbours that match as well are as good as ten. */
function bestAround(candidates: readonly Candidate[]): Candidate[] {
  const most = Math.max(0, ...candidates.map(({ around }) => around))
  return candidates.filter(({ around }) => around >= Math.min(2, most))
}

/** Written long before its commit by a session that committed nothing since, while others did. */
function isStale(
  { time, request }: Edit,
  { blamed }: PresentLine,
  commits: readonly MadeCommit[],
): boolean {
  if (!blamed || blamed.authoredMs - time < STALE_MS) return false
  const own = sessionOf(request)
  const until = blamed.authoredMs + TOLERANCE_MS
  const since = commits.filter((commit) => commit.time >= time)
  return (
    since.some((commit) => commit.sessionId !== own && commit.time <= until) &&
    !since.some((commit) => commit.sessionId === own)
  )
}

export function sessionOf(request: string): string {
  return request.slice(0, request.lastIndexOf('#'))
}

function newestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (newest, one) => (newest && newest.edit.time >= one.edit.time ? newest : one),
    undefined,
  )
}

function split<T>(all: readonly T[], passes: (one: T) => boolean): [T[], T[]] {
  return [all.filter(passes), all.filter((one) => !passes(one))]
}
