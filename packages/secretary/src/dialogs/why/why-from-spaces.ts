import type { Caller } from '@secretary-mcp/core/tool.ts'
import { mayAnswer } from '../bare-reply.ts'
import { fillGaps } from './fill-gaps.ts'
import {
  type Edit,
  type Match,
  matchHere,
  matchMoved,
  type PresentLine,
} from './match-lines.ts'
import type { AskedRequest } from './requests-behind.ts'
import { namedProject, pathInRepository } from '../sharing/project-name.ts'
import { type FromSpace, fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { SharedRequestStore, WorkedRequest } from '../sharing/sharing-store.ts'

/** The latest that changed the file, and the latest of the project for lines that came from elsewhere. */
const MOST_HERE = 500
const MOST_ELSEWHERE = 300

export interface Explanation {
  /** For each line that had none. */
  readonly matches: readonly (Match | undefined)[]
  requestOf(name: string): Promise<(AskedRequest & FromSpace) | undefined>
}

/** For lines that nothing of the caller's own explains: what others asked, as far as they share it with the caller. */
export async function whyFromSpaces(
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
    file === undefined ? [] : await store.worked(caller.user, { project, file, limit: MOST_HERE })
  const byEdit = without(own, await matchHere(lines, editsOf(here, file)))
  const isOpen = lines.some((line, place) => line.isTelling && !own[place] && !byEdit[place])
  const elsewhere = isOpen
    ? await store.worked(caller.user, { project, limit: MOST_ELSEWHERE })
    : []
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
