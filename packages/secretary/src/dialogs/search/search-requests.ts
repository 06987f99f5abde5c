import { Failure } from '@secretary-mcp/core/failure.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText, shownBeginning } from '@secretary-mcp/transcripts/preview.ts'
import { MAX_SEARCHED } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { mayAnswer } from '../bare-reply.ts'
import type { FoundRequest } from '../dialog-schema.ts'
import type { Dialogs } from '../dialogs.ts'
import { namedProject } from '../sharing/project-name.ts'
import { type FromSpace, fromSpace, questionInSpace } from '../sharing/read-from-space.ts'
import type { RequestInSpace, SharedRequestStore } from '../store/requests-in-spaces.ts'
import {
  markName,
  type RequestWords,
  type Scored,
  searchedRequest,
  wordRanking,
} from '../words/word-ranking.ts'

/** So many are looked through where only words can be compared. */
const MAX_BY_WORDS = 2_000

/** What people share with the caller, as a search needs it. */
class RequestsOfOthers {
  readonly #store?: SharedRequestStore

  constructor(store?: SharedRequestStore) {
    this.#store = store
  }

  /** Without the caller's own that are here anyway. */
  async latest({ user, project }: Caller, own: readonly Dialog[]): Promise<Asked[]> {
    const wanted = { project: namedProject(project).repository, limit: MAX_BY_WORDS }
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
    text: cutText(request.request, MAX_SEARCHED),
    from: fromSpace(request),
  }
}

const RANK_OFFSET = 60
/** Of what words find, so many times more than are shown can be lifted by their meaning. */
const WOVEN = 10
const MAX_SHOWN = 300
/** A secret that the cut goes through is recognized as a whole. */
const MAX_SECRET = 4_000
const MAX_CHARACTERS = 20_000_000

interface Query {
  readonly query: string
  readonly limit: number
}

export interface Asked extends Pick<Dialog, 'sessionId' | 'source' | 'project'> {
  readonly position: number
  readonly time: number
  readonly text: string
  /** Of one that somebody shares. */
  readonly from?: FromSpace
}

/** A request among all that are compared: it is looked up in its dialog once it is among the best. */
type Candidate = { readonly dialog: Dialog; readonly mark: string } | { readonly shared: Asked }

interface WordStore {
  findWords(keys: readonly string[]): Promise<Map<string, RequestWords[]>>
}

/** Requests of every dialog of the project, by words and meaning where the search engine is there, by words alone otherwise. */
export class RequestFinder {
  readonly #dialogs: Dialogs
  readonly #engine: RequestSearch | undefined
  readonly #store: WordStore | undefined
  readonly #others: RequestsOfOthers
  /** Words by dialog, as long as its file has not changed. */
  readonly #words = new Map<string, { stamp: string; requests: readonly RequestWords[] }>()
  #characters = 0

  constructor(dialogs: Dialogs, engine?: RequestSearch, store?: WordStore) {
    this.#dialogs = dialogs
    this.#engine = engine
    this.#store = store
    this.#others = new RequestsOfOthers(dialogs.shared)
  }

  async search(caller: Caller, asked: Query, signal: AbortSignal) {
    const dialogs = await this.#dialogs.ofProject(caller, signal)
    const found =
      (await this.#byMeaning(dialogs, caller, asked, signal)) ??
      (await this.#best(
        await this.#byWords(dialogs, asked, signal, await this.#others.latest(caller, dialogs)),
        asked.limit,
      ))
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
        ...(answers ? { answers: redact(answers) } : {}),
      })
    }
    return results
  }

  /** The same in any dialogs. Meaning is known only of the caller's own project: its hits are woven in. */
  async among(
    dialogs: readonly Dialog[],
    caller: Caller,
    asked: Query,
    signal: AbortSignal,
  ): Promise<(FoundRequest & { readonly project?: string })[]> {
    const ranked = await this.#byWords(dialogs, asked, signal)
    const byWords = await this.#best(ranked, asked.limit * WOVEN)
    const meant = (await this.#byMeaning(dialogs, caller, asked, signal)) ?? []
    const byMeaning = meant.filter(({ item }) => !item.from)
    const woven = new Map<string, { item: Asked; score: number }>()
    for (const list of [byWords, byMeaning])
      for (const [place, { item }] of list.entries()) {
        const name = `${item.source} ${item.sessionId} ${item.position}`
        const score = (woven.get(name)?.score ?? 0) + 1 / (RANK_OFFSET + place)
        woven.set(name, { item, score })
      }
    const best = [...woven.values()].sort((a, b) => b.score - a.score).slice(0, asked.limit)
    return this.#shown(best, dialogs, caller)
  }

  async #byWords(
    dialogs: readonly Dialog[],
    { query }: Query,
    signal: AbortSignal,
    others: readonly Asked[] = [],
  ): Promise<Scored<Candidate>[]> {
    const ranking = wordRanking<Candidate>(query)
    for (const shared of others) ranking.add({ shared }, searchedRequest(shared.text))
    for (const [dialog, requests] of await this.#wordsOf(dialogs, signal))
      for (const request of requests) ranking.add({ dialog, mark: request.mark }, request)
    return ranking.ranked()
  }

  /** The first so many of which the text is still there. */
  async #best(ranked: readonly Scored<Candidate>[], limit: number): Promise<Scored<Asked>[]> {
    const best: Scored<Asked>[] = []
    for (const { item, score } of ranked) {
      if (best.length === limit) break
      const asked = 'shared' in item ? item.shared : await this.#marked(item.dialog, item.mark)
      if (asked) best.push({ item: asked, score })
    }
    return best
  }

  /** Undefined where the engine is absent, not ready or fails: words alone are better than nothing. */
  async #byMeaning(
    dialogs: readonly Dialog[],
    caller: Caller,
    { query, limit }: Query,
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
      const item = dialog && (await this.#asked(dialog, position))
      if (item) named.push({ item, score })
    }
    return named
  }

  async #marked(dialog: Dialog, name: string): Promise<Asked | undefined> {
    const marks = await this.#dialogs.texts.marks(dialog)
    const place = marks.findIndex((mark) => markName(mark) === name)
    return place === -1 ? undefined : this.#asked(dialog, place + 1, marks)
  }

  async #asked(dialog: Dialog, position: number, known?: Mark[]): Promise<Asked | undefined> {
    const mark = (known ?? (await this.#dialogs.texts.marks(dialog)))[position - 1]
    if (!mark) return undefined
    const text = (await this.#dialogs.texts.requestText(dialog, mark)) ?? mark.preview
    const { sessionId, source, project } = dialog
    const time = mark.time ?? dialog.firstSeen
    return { sessionId, source, project, position, time, text: cutText(text, MAX_SEARCHED) }
  }

  /** Of all dialogs at once, as far as they were kept when their files were read. */
  async #wordsOf(dialogs: readonly Dialog[], signal: AbortSignal) {
    const isKnown = (one: Dialog) => this.#words.get(one.key)?.stamp === stampOf(one)
    const missing = dialogs.filter((one) => !isKnown(one)).map(({ key }) => key)
    const stored = missing.length > 0 ? await this.#store?.findWords(missing) : undefined
    const words = new Map<Dialog, readonly RequestWords[]>()
    for (const dialog of dialogs) {
      signal.throwIfAborted()
      const known = isKnown(dialog) ? this.#words.get(dialog.key)?.requests : undefined
      const requests = known ?? stored?.get(dialog.key) ?? (await this.#readWords(dialog))
      words.set(dialog, requests)
      if (!known) this.#keep(dialog, requests)
    }
    return words
  }

  async #readWords(dialog: Dialog): Promise<RequestWords[]> {
    const requests: RequestWords[] = []
    for (const mark of await this.#dialogs.texts.marks(dialog)) {
      const text = (await this.#dialogs.texts.requestText(dialog, mark)) ?? mark.preview
      requests.push({ mark: markName(mark), ...searchedRequest(cutText(text, MAX_SEARCHED)) })
    }
    return requests
  }

  #keep(dialog: Dialog, requests: readonly RequestWords[]): void {
    const size = charactersIn(requests)
    this.#characters -= charactersIn(this.#words.get(dialog.key)?.requests ?? [])
    if (this.#characters + size > MAX_CHARACTERS) {
      this.#words.clear()
      this.#characters = 0
    }
    this.#words.set(dialog.key, { stamp: stampOf(dialog), requests })
    this.#characters += size
  }
}

function charactersIn(requests: readonly RequestWords[]): number {
  return requests.reduce((sum, { words }) => sum + words.length, 0)
}

function stampOf({ size, mtimeMs }: Dialog): string {
  return `${size}/${mtimeMs}`
}

function foundRequest({ item, score }: Scored<Asked>): FoundRequest {
  const { sessionId, source, position, time, text, from } = item
  const request = shownBeginning(redact(text.slice(0, MAX_SHOWN + MAX_SECRET)), MAX_SHOWN)
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

interface RequestHit {
  readonly sessionId: string
  /** Position of the request in its dialog, from 1. */
  readonly position: number
  readonly score: number
  /** Who shares it, where it is not the asker's own. */
  readonly by?: string
}

interface RequestQuery {
  readonly text: string
  /** Who asks. */
  readonly user: string
  /** Absolute path of the project's root. */
  readonly project: string
  readonly limit: number
}

/** Finds requests by words and meaning. Undefined where the index is not ready: then words alone decide. */
export interface RequestSearch {
  search(query: RequestQuery, signal: AbortSignal): Promise<readonly RequestHit[] | undefined>
}
