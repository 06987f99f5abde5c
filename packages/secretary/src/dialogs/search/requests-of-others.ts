import type { Caller } from '@secretary-mcp/core/tool.ts'
import { mayAnswer } from '../bare-reply.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import type { RequestHit } from './request-search.ts'
import type { Asked } from './search-requests.ts'
import { searchedText } from './word-ranking.ts'
import { namedProject } from '../sharing/project-name.ts'
import { fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { RequestInSpace, SharedRequestStore } from '../sharing/sharing-store.ts'

/** So many are looked through where only words can be compared. */
const MOST_BY_WORDS = 2_000
const LONGEST_SEARCHED = 8_000

/** What people share with the caller, as a search needs it. */
export class RequestsOfOthers {
  readonly #store?: SharedRequestStore

  constructor(store?: SharedRequestStore) {
    this.#store = store
  }

  /** Without the caller's own that are here anyway. */
  async latest({ user, project }: Caller, own: readonly Dialog[]): Promise<Asked[]> {
    const wanted = { project: namedProject(project).repository, limit: MOST_BY_WORDS }
    const found = (await this.#store?.latest(user, wanted)) ?? []
    return found.filter((request) => !isHere(request, user, own)).map(askedOf)
  }

  /** The question that one of them answers, if it is a bare reply. */
  async questionTo(
    { user }: Caller,
    { sessionId, position, text, from }: Asked,
  ): Promise<string | undefined> {
    if (!from || !mayAnswer(text)) return undefined
    const requests = (await this.#store?.ofSession(user, sessionId)) ?? []
    return questionInSpace(requests, { by: from.by, position, request: text }).answers
  }

  /** Those of the hits that the caller may read now. */
  async named(
    { user }: Caller,
    hits: readonly RequestHit[],
    own: readonly Dialog[],
  ): Promise<ReadonlyMap<RequestHit, Asked>> {
    const names = hits.flatMap(({ by, sessionId, position }) =>
      by === undefined ? [] : [{ by, sessionId, position }],
    )
    const found = names.length > 0 ? ((await this.#store?.find(user, names)) ?? []) : []
    const named = new Map<RequestHit, Asked>()
    for (const hit of hits) {
      const request = found.find(
        ({ by, sessionId, position }) =>
          by === hit.by && sessionId === hit.sessionId && position === hit.position,
      )
      if (request && !isHere(request, user, own)) named.set(hit, askedOf(request))
    }
    return named
  }
}

function isHere({ by, sessionId }: RequestInSpace, user: string, own: readonly Dialog[]): boolean {
  return by === user && own.some((dialog) => dialog.sessionId === sessionId)
}

function askedOf(request: RequestInSpace): Asked {
  const { sessionId, source, position, askedAt } = request
  return {
    sessionId,
    source,
    position,
    time: Date.parse(askedAt),
    text: request.request,
    searched: searchedText(cutText(request.request, LONGEST_SEARCHED)),
    from: fromSpace(request),
  }
}
