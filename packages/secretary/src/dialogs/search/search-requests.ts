import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText, shownBeginning } from '@secretary-mcp/transcripts/preview.ts'
import { mayAnswer } from '../bare-reply.ts'
import type { FoundRequest } from '../dialog-schema.ts'
import type { Dialogs } from '../dialogs.ts'
import { namedProject } from '../sharing/project-name.ts'
import { type FromSpace, fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { RequestInSpace, SharedRequestStore } from '../sharing/sharing-store.ts'
import type { RequestHit, RequestSearch } from './request-search.ts'
import { type Scored, type SearchedText, searchedText, wordRanking } from './word-ranking.ts'

/** So many are looked through where only words can be compared. */
const MOST_BY_WORDS = 2_000

/** What people share with the caller, as a search needs it. */
class RequestsOfOthers {
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

const RANK_OFFSET = 60
/** Of what words find, so many times more than are shown can be lifted by their meaning. */
const WOVEN = 10
const LONGEST_SEARCHED = 8_000
const LONGEST_SHOWN = 300
const MOST_CHARACTERS = 20_000_000

interface RequestWords {
  readonly query: string
  readonly limit: number
}

export interface Asked extends Pick<Dialog, 'sessionId' | 'source' | 'project'> {
  readonly position: number
  readonly time: number
  readonly text: string
  readonly searched: SearchedText
  /** Of one that somebody shares. */
  readonly from?: FromSpace
}

/** Requests of every dialog of the project, by words and meaning where the search engine is there, by words alone otherwise. */
export class RequestFinder {
  readonly #dialogs: Dialogs
  readonly #engine: RequestSearch | undefined
  readonly #others: RequestsOfOthers
  /** Texts by dialog, as long as its file has not changed. */
  readonly #texts = new Map<string, { stamp: string; asked: Asked[] }>()
  #characters = 0

  constructor(dialogs: Dialogs, engine?: RequestSearch) {
    this.#dialogs = dialogs
    this.#engine = engine
    this.#others = new RequestsOfOthers(dialogs.shared)
  }

  async search(caller: Caller, asked: RequestWords, signal: AbortSignal) {
    const dialogs = await this.#dialogs.ofProject(caller, signal)
    const byMeaning = await this.#byMeaning(dialogs, caller, asked, signal)
    const found =
      byMeaning ??
      (await this.#byWords(dialogs, asked, signal, await this.#others.latest(caller, dialogs)))
    return Result.ok({
      results: (await this.#shown(found.slice(0, asked.limit), dialogs, caller)).map(
        ({ project: _project, ...result }) => result,
      ),
      query: asked.query,
      ...this.#dialogs.unreadFor(caller),
    })
  }

  /** As callers see them: a bare reply with the question that it answers. */
  async #shown(found: readonly Scored<Asked>[], dialogs: readonly Dialog[], caller: Caller) {
    const results: (FoundRequest & { readonly project?: string })[] = []
    for (const one of found) {
      const { sessionId, source, position, text, project, from } = one.item
      const dialog = from
        ? undefined
        : dialogs.find((other) => other.sessionId === sessionId && other.source === source)
      const answers = from
        ? await this.#others.questionTo(caller, one.item)
        : dialog && (await this.#dialogs.texts.questionTo(dialog, position, text))
      results.push({
        ...foundRequest(one),
        ...(project === undefined || from ? {} : { project }),
        ...(answers ? { answers } : {}),
      })
    }
    return results
  }

  /** The same in any dialogs. Meaning is known only of the caller's own project: its hits are woven in. */
  async among(
    dialogs: readonly Dialog[],
    caller: Caller,
    asked: RequestWords,
    signal: AbortSignal,
  ): Promise<(FoundRequest & { readonly project?: string })[]> {
    const byWords = await this.#byWords(dialogs, asked, signal)
    const meant = (await this.#byMeaning(dialogs, caller, asked, signal)) ?? []
    const byMeaning = meant.filter(({ item }) => !item.from)
    const places = new Map<Asked, number>()
    for (const list of [byWords.slice(0, asked.limit * WOVEN), byMeaning])
      for (const [place, { item }] of list.entries())
        places.set(item, (places.get(item) ?? 0) + 1 / (RANK_OFFSET + place))
    const best = [...places]
      .map(([item, score]) => ({ item, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, asked.limit)
    return this.#shown(best, dialogs, caller)
  }

  async #byWords(
    dialogs: readonly Dialog[],
    { query }: RequestWords,
    signal: AbortSignal,
    others: readonly Asked[] = [],
  ): Promise<Scored<Asked>[]> {
    const ranking = wordRanking<Asked>(query)
    for (const asked of others) ranking.add(asked, asked.searched)
    for (const dialog of dialogs) {
      signal.throwIfAborted()
      for (const asked of await this.#asked(dialog)) ranking.add(asked, asked.searched)
    }
    return ranking.ranked()
  }

  /** Undefined where the engine is absent, not ready or fails: words alone are better than nothing. */
  async #byMeaning(
    dialogs: readonly Dialog[],
    caller: Caller,
    { query, limit }: RequestWords,
    signal: AbortSignal,
  ): Promise<Scored<Asked>[] | undefined> {
    const { user, project } = caller
    try {
      const hits = await this.#engine?.search({ text: query, user, project, limit }, signal)
      return hits && (await this.#named(dialogs, hits, caller))
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }

  async #named(
    dialogs: readonly Dialog[],
    hits: readonly RequestHit[],
    caller: Caller,
  ): Promise<Scored<Asked>[]> {
    const named: Scored<Asked>[] = []
    const others = await this.#others.named(caller, hits, dialogs)
    for (const hit of hits) {
      const { sessionId, position, score, by } = hit
      const other = others.get(hit)
      if (other) named.push({ item: other, score })
      if (by !== undefined) continue
      const dialog = dialogs.find((candidate) => candidate.sessionId === sessionId)
      const item = dialog && (await this.#asked(dialog)).find((one) => one.position === position)
      if (item) named.push({ item, score })
    }
    return named
  }

  async #asked(dialog: Dialog): Promise<Asked[]> {
    const stamp = `${dialog.size}/${dialog.mtimeMs}`
    const known = this.#texts.get(dialog.key)
    if (known?.stamp === stamp) return known.asked
    const asked: Asked[] = []
    for (const [place, mark] of (await this.#dialogs.texts.marks(dialog)).entries()) {
      const whole = (await this.#dialogs.texts.requestText(dialog, mark)) ?? mark.preview
      const text = cutText(whole, LONGEST_SEARCHED)
      const typed = cutText(typedText(whole), LONGEST_SEARCHED)
      const { sessionId, source, project } = dialog
      asked.push({
        ...{ sessionId, source, project },
        position: place + 1,
        time: mark.time ?? dialog.firstSeen,
        text,
        // What was typed counts more than what was pasted with it.
        searched: searchedText(typed === text ? text : `${typed}\n${text}`),
      })
    }
    this.#keep(dialog.key, { stamp, asked })
    return asked
  }

  #keep(key: string, texts: { stamp: string; asked: Asked[] }): void {
    const size = texts.asked.reduce((sum, { text }) => sum + text.length, 0)
    if (this.#characters + size > MOST_CHARACTERS) {
      this.#texts.clear()
      this.#characters = 0
    }
    this.#texts.set(key, texts)
    this.#characters += size
  }
}

function foundRequest({ item, score }: Scored<Asked>): FoundRequest {
  const { sessionId, source, position, time, text, from } = item
  const request = shownBeginning(text, LONGEST_SHOWN)
  return {
    sessionId,
    source,
    index: position,
    timestamp: time,
    request,
    score: Math.round(score * 1000) / 1000,
    ...from,
  }
}
