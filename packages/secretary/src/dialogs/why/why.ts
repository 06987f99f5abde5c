import { realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { requireAllowedPath } from '@secretary-mcp/core/files/open-file.ts'
import { readInside, withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { linesOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { mayAnswer } from '../bare-reply.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { placesOf, spellingsOf } from '../deeds/work-places.ts'
import type { Dialogs } from '../dialogs.ts'
import { namedProject, pathInRepository } from '../sharing/project-name.ts'
import { type FromSpace, fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { SharedRequestStore, WorkedRequest } from '../store/requests-in-spaces.ts'
import { type Blamed, blame } from './blame.ts'
import {
  type Edit,
  type MadeCommit,
  type Match,
  makersOf,
  matchHere,
  matchMoved,
  type PresentLine,
  presentLines,
  sessionOf,
} from './match-lines.ts'
import { type AskedRequest, RequestsBehind } from './requests-behind.ts'

/** The latest that changed the file, and the latest of the project for lines that came from elsewhere. */
const MAX_HERE = 500
const MAX_ELSEWHERE = 300

const MAX_FILE_SIZE = 4 << 20
const MAX_LINES = 50_000
const MAX_EDITS = 5000
const MAX_KEPT = 200

interface Explained {
  readonly stamp: string
  readonly lines: readonly PresentLine[]
  readonly matches: readonly (Match | undefined)[]
  readonly behind: RequestsBehind
}

export interface WhyArguments {
  readonly file: string
  readonly line: number
  readonly endLine?: number
}

export interface Reason extends AskedRequest, Partial<FromSpace> {
  readonly lines: [number, number][]
  readonly evidence: Match['evidence']
  readonly commit?: string
}

export interface Why {
  readonly file: string
  readonly line: number
  readonly endLine: number
  readonly requests: Reason[]
  readonly unexplained: [number, number][]
  readonly note?: string
}

/** Which requests led to the lines of a file as they stand now. */
export class WhyLines {
  readonly #dialogs: Dialogs
  readonly #store?: DeedStore
  readonly #explained = new Map<string, Explained>()

  /** Without a store nothing is the caller's own: only what others share explains a line. */
  constructor(dialogs: Dialogs, store?: DeedStore) {
    this.#dialogs = dialogs
    this.#store = store
  }

  async ask(
    caller: Caller,
    { file, line, endLine = line }: WhyArguments,
    signal: AbortSignal,
  ): Promise<Result<Why>> {
    if (endLine < line) return Result.failure('endLine must not be before line', 'validation_error')
    // Somebody else's machine: not even how long a file is, unless they could read it.
    if (!this.#store) requireAllowedPath(file)
    const place = {
      root: await realpath(caller.project),
      path: relative(caller.project, resolve(caller.project, file)),
    }
    const found = withFileInside(place.root, place.path, ({ stats }) => stats, { links: true })
    if (!found) return Result.failure(`File not found: ${file}`, 'not_found')
    if (found.size > MAX_FILE_SIZE)
      return Result.failure(`File is too large: ${file} (at most 4 MB)`, 'too_large')
    const known = this.#explained.get(join(place.root, place.path))
    const changes = `${this.#dialogs.index.revision}/${(await this.#store?.version()) ?? 0}/${this.#store?.sameProjects?.version ?? ''}`
    const stamp = `${found.size}/${found.mtimeMs}/${changes}`
    const explained =
      known?.stamp === stamp ? known : await this.#explain(caller, place, stamp, signal)
    const { lines } = explained
    if (line > lines.length)
      return Result.failure(
        `Line ${line} is past the end of ${file} (${lines.length} lines)`,
        'out_of_range',
      )
    const asked = { file, line, endLine: Math.min(endLine, lines.length) }
    return Result.ok(await this.#answer(explained, asked, caller, place.path))
  }

  async #explain(
    caller: Caller,
    { root, path: below }: { readonly root: string; readonly path: string },
    stamp: string,
    signal: AbortSignal,
  ): Promise<Explained> {
    const path = join(caller.project, below)
    const text = readInside(root, below, MAX_FILE_SIZE, { links: true })?.toString('utf8') ?? ''
    const texts = linesOf(text)
    if (texts.length > MAX_LINES)
      throw new Failure('too_large', `File has too many lines: ${below} (at most ${MAX_LINES})`)
    const store = this.#store ?? nobodys
    const places = await placesOf(store, caller.project)
    const projects = places.map(({ project }) => project)
    const spellings = spellingsOf(path, caller.project, places)
    const [blamed, edits, commits] = await Promise.all([
      blame(path, signal),
      store.find({
        projects,
        kinds: ['create', 'change'],
        paths: spellings,
        limit: MAX_EDITS,
      }),
      store.find({ projects, kinds: ['commit'], limit: MAX_EDITS }),
    ])
    const lines = presentLines(texts, blamed)
    const behind = new RequestsBehind(this.#dialogs)
    const made = commits.map(({ sessionId, time, tail, text }) => ({
      sessionId,
      time,
      ...(tail ? { sha: tail } : {}),
      ...(text ? { subject: text } : {}),
    }))
    const unfinished = new Unfinished(store, behind, made)
    const here = await unfinished.mark(
      lines,
      await matchHere(lines, await behind.editsOf(edits), made),
    )
    const open = lines.filter((line, place) => !here[place] && line.isTelling)
    const elsewhere =
      open.length === 0
        ? []
        : await store.findByLines(
            open.map(({ print }) => print),
            projects,
          )
    // A line of this file with other indentation was not moved; who indented it is not known.
    const fromOtherFiles = elsewhere.filter(({ path: other = '' }) => !spellings.includes(other))
    const moved = await matchMoved(lines, await behind.editsOf(fromOtherFiles), made)
    const matches = fillGaps(
      lines,
      here.map((match, place) => match ?? moved[place]),
    )
    const explained = { stamp, lines, matches, behind }
    const [oldest] = this.#explained.keys()
    if (this.#explained.size >= MAX_KEPT && oldest !== undefined) this.#explained.delete(oldest)
    this.#explained.set(join(root, below), explained)
    return explained
  }

  async #answer(
    explained: Explained,
    asked: { file: string; line: number; endLine: number },
    caller: Caller,
    path: string,
  ): Promise<Why> {
    const { lines, matches: own, behind } = explained
    const { shared } = this.#dialogs
    const isOpen = own.slice(asked.line - 1, asked.endLine).some((match) => !match)
    // What others share is asked for each time: who may read what can change at any moment.
    const others =
      isOpen && shared ? await whyFromSpaces(shared, caller, path, lines, own) : undefined
    const matches = own.map((match, place) => match ?? others?.matches[place])
    const { groups, unexplained } = grouped(lines, matches, asked)
    const requests = await Promise.all(
      [...groups].map(async ([request, group]) => ({
        ...((await others?.requestOf(request)) ?? (await behind.requestOf(request))),
        lines: group.lines,
        evidence: group.match.evidence,
        ...(group.commit ? { commit: group.commit.slice(0, 12) } : {}),
      })),
    )
    requests.sort((a, b) => b.timestamp - a.timestamp)
    return { ...asked, requests, unexplained }
  }
}

/** The lines that were asked for, by the request behind them. */
function grouped(
  lines: readonly PresentLine[],
  matches: readonly (Match | undefined)[],
  asked: { readonly line: number; readonly endLine: number },
) {
  const groups = new Map<string, { match: Match; lines: [number, number][]; commit?: string }>()
  const unexplained: [number, number][] = []
  for (let line = asked.line; line <= asked.endLine; line++) {
    const match = matches[line - 1]
    if (!match) {
      extend(unexplained, line)
      continue
    }
    const group = groups.get(match.request) ?? { match, lines: [] }
    groups.set(match.request, group)
    if (match.evidence === 'exact') group.match = match
    group.commit ??= lines[line - 1]?.blamed?.commit
    extend(group.lines, line)
  }
  return { groups, unexplained }
}

/** Lines that another session committed while the request was still being worked on: whose they are is not certain. */
class Unfinished {
  readonly #store: Pick<DeedStore, 'find'>
  readonly #behind: RequestsBehind
  readonly #made: readonly MadeCommit[]
  readonly #makers = new Map<string, ReadonlySet<string>>()
  readonly #times = new Map<string, ReadonlyMap<number, number>>()

  constructor(store: Pick<DeedStore, 'find'>, behind: RequestsBehind, made: readonly MadeCommit[]) {
    this.#store = store
    this.#behind = behind
    this.#made = made
  }

  async mark(
    lines: readonly PresentLine[],
    matches: readonly (Match | undefined)[],
  ): Promise<(Match | undefined)[]> {
    const marked: (Match | undefined)[] = []
    for (const [at, match] of matches.entries()) {
      const blamed = lines[at]?.blamed
      const isOpen = match && blamed && (await this.#isAtWork(match.request, blamed))
      marked.push(isOpen ? { ...match, isStale: true } : match)
    }
    return marked
  }

  async #isAtWork(request: string, blamed: Blamed): Promise<boolean> {
    const makers = this.#makers.get(blamed.commit) ?? makersOf(blamed, this.#made)
    this.#makers.set(blamed.commit, makers)
    const session = sessionOf(request)
    if (makers.size === 0 || makers.has(session)) return false
    const times = this.#times.get(session) ?? (await this.#lastDeeds(session))
    this.#times.set(session, times)
    return (times.get(Number(request.slice(session.length + 1))) ?? 0) > blamed.authoredMs
  }

  /** When the last thing was done for each request of a session. */
  async #lastDeeds(sessionId: string): Promise<Map<number, number>> {
    const last = new Map<number, number>()
    for (const deed of await this.#store.find({ sessionId, limit: MAX_EDITS })) {
      const position = await this.#behind.positionOf(deed)
      last.set(position, Math.max(last.get(position) ?? 0, deed.time))
    }
    return last
  }
}

/** Where nothing is the caller's own. */
const nobodys: Pick<DeedStore, 'find' | 'findByLines' | 'places'> = {
  find: async () => [],
  findByLines: async () => [],
  places: async () => [],
}

function extend(ranges: [number, number][], line: number): void {
  const last = ranges.at(-1)
  if (last && last[1] === line - 1) last[1] = line
  else ranges.push([line, line])
}

interface Explanation {
  /** For each line that had none. */
  readonly matches: readonly (Match | undefined)[]
  requestOf(name: string): Promise<(AskedRequest & FromSpace) | undefined>
}

/** For lines that nothing of the caller's own explains: what others asked, as far as they share it with the caller. */
async function whyFromSpaces(
  store: SharedRequestStore,
  caller: Caller,
  path: string,
  lines: readonly PresentLine[],
  own: readonly (Match | undefined)[],
): Promise<Explanation> {
  const named = namedProject(caller.project)
  const file = pathInRepository(path, named)
  const project = named.repository
  const known = new Map<string, WorkedRequest>()
  const editsOf = (requests: readonly WorkedRequest[], only?: string) =>
    requests.flatMap((request) => {
      const name = nameOf(request)
      known.set(name, request)
      return edits(name, request, only)
    })
  const here =
    file === undefined ? [] : await store.worked(caller.user, { project, file, limit: MAX_HERE })
  const byEdit = without(own, await matchHere(lines, editsOf(here, file)))
  const isOpen = lines.some((line, place) => line.isTelling && !own[place] && !byEdit[place])
  const elsewhere = isOpen ? await store.worked(caller.user, { project, limit: MAX_ELSEWHERE }) : []
  const moved = without(own, await matchMoved(lines, editsOf(elsewhere)))
  const found = byEdit.map((match, place) => match ?? moved[place])
  const filled = fillGaps(
    lines,
    found.map((match, place) => own[place] ?? match),
  )
  return {
    matches: without(own, filled).map((match) =>
      match && known.has(match.request) ? match : undefined,
    ),
    async requestOf(name) {
      const request = known.get(name)
      if (!request) return undefined
      const isReply = mayAnswer(request.request)
      const dialog = isReply ? await store.ofSession(caller.user, request.sessionId) : []
      return { ...askedOf(request), ...questionInSpace(dialog, request) }
    },
  }
}

/** No session of the caller's own is named so. */
function nameOf({ by, sessionId, position }: WorkedRequest): string {
  return `${JSON.stringify([by, sessionId])}#${position}`
}

function edits(name: string, { deeds }: WorkedRequest, only?: string): Edit[] {
  return deeds.flatMap(({ kind, path, time, lines }) => {
    const isEdit = (kind === 'create' || kind === 'change') && lines !== undefined
    if (!isEdit || (only !== undefined && path !== only)) return []
    return [{ request: name, time, came: lines.came }]
  })
}

function without(
  own: readonly (Match | undefined)[],
  matches: readonly (Match | undefined)[],
): (Match | undefined)[] {
  return matches.map((match, place) => (own[place] ? undefined : match))
}

function askedOf(request: WorkedRequest): AskedRequest & FromSpace {
  const { sessionId, source, position, askedAt } = request
  return {
    sessionId,
    source,
    index: position,
    timestamp: Date.parse(askedAt),
    request: request.request,
    ...fromSpace(request),
  }
}

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
