import { Failure } from '../../core/failure.ts'
import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { Dialog } from '../dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import { cutText } from '../preview.ts'
import type { FoundRequest, RequestHit, RequestQuery, RequestSearch } from './request-search.ts'
import { rankByWords } from './word-ranking.ts'

const MOST_DIALOGS = 500
const MOST_REQUESTS = 10_000
const LONGEST_SEARCHED = 8_000
const LONGEST_SHOWN = 300
const MOST_CHARACTERS = 20_000_000

interface Asked {
  readonly dialog: Dialog
  readonly position: number
  readonly time: number
  readonly text: string
}

/** Requests of every dialog of the project, by words and meaning where the search engine is there, by words alone otherwise. */
export class RequestFinder {
  readonly #dialogs: Dialogs
  readonly #engine: RequestSearch | undefined
  /** Texts by dialog, as long as its file has not changed. */
  readonly #texts = new Map<string, { stamp: string; asked: Asked[] }>()
  #characters = 0

  constructor(dialogs: Dialogs, engine?: RequestSearch) {
    this.#dialogs = dialogs
    this.#engine = engine
  }

  async search(
    caller: Caller,
    { query, limit }: { query: string; limit: number },
    signal: AbortSignal,
  ) {
    const dialogs = await this.#dialogs.ofProject(caller, MOST_DIALOGS, signal)
    const byMeaning = await this.#byMeaning({ text: query, project: caller.project, limit }, signal)
    const results = byMeaning
      ? await this.#named(dialogs, byMeaning)
      : rankByWords(query, await this.#everything(dialogs, signal), ({ text }) => text)
          .slice(0, limit)
          .map(({ item, score }) => foundRequest(item, score))
    const waiting = this.#dialogs.index.waiting
    return Result.ok({
      results,
      query,
      ...(waiting > 0 ? { note: `${waiting} files are still being read` } : {}),
    })
  }

  /** Undefined where the engine is absent, not ready or fails: words alone are better than nothing. */
  async #byMeaning(
    query: RequestQuery,
    signal: AbortSignal,
  ): Promise<readonly RequestHit[] | undefined> {
    try {
      return await this.#engine?.search(query, signal)
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }

  async #named(dialogs: readonly Dialog[], hits: readonly RequestHit[]) {
    const results: FoundRequest[] = []
    for (const { sessionId, position, score } of hits) {
      const dialog = dialogs.find((candidate) => candidate.sessionId === sessionId)
      const asked = dialog && (await this.#asked(dialog)).find((one) => one.position === position)
      if (asked) results.push(foundRequest(asked, score))
    }
    return results
  }

  async #everything(dialogs: readonly Dialog[], signal: AbortSignal): Promise<Asked[]> {
    const all: Asked[] = []
    let characters = 0
    for (const dialog of dialogs) {
      signal.throwIfAborted()
      const asked = await this.#asked(dialog)
      characters += asked.reduce((sum, { text }) => sum + text.length, 0)
      all.push(...asked)
      if (all.length >= MOST_REQUESTS || characters >= MOST_CHARACTERS) break
    }
    return all.slice(0, MOST_REQUESTS)
  }

  async #asked(dialog: Dialog): Promise<Asked[]> {
    const stamp = `${dialog.size}/${dialog.mtimeMs}`
    const known = this.#texts.get(dialog.key)
    if (known?.stamp === stamp) return known.asked
    const asked: Asked[] = []
    for (const [place, mark] of (await this.#dialogs.texts.marks(dialog)).entries()) {
      const text = (await this.#dialogs.texts.requestText(dialog, mark)) ?? mark.preview
      asked.push({
        dialog,
        position: place + 1,
        time: mark.time ?? dialog.firstSeen,
        text: cutText(text, LONGEST_SEARCHED),
      })
    }
    this.#keep(dialog.key, { stamp, asked })
    return asked
  }

  #keep(key: string, texts: { stamp: string; asked: Asked[] }): void {
    const size = texts.asked.reduce((sum, { text }) => sum + text.length, 0)
    if (this.#texts.size >= MOST_DIALOGS || this.#characters + size > MOST_CHARACTERS) {
      this.#texts.clear()
      this.#characters = 0
    }
    this.#texts.set(key, texts)
    this.#characters += size
  }
}

function foundRequest({ dialog, position, time, text }: Asked, score: number): FoundRequest {
  const { sessionId, source } = dialog
  const request = text.length > LONGEST_SHOWN ? `${cutText(text, LONGEST_SHOWN)}…` : text
  return {
    sessionId,
    source,
    index: position,
    timestamp: time,
    request,
    score: Math.round(score * 1000) / 1000,
  }
}
