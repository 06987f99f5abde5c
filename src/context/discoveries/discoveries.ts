import { createHash, randomUUID } from 'node:crypto'
import { accessScore } from '../access/score.ts'
import type { Owner } from '../owner.ts'
import type { Discovery, DiscoveryType } from './discovery.ts'
import type { DiscoveryFilter, DiscoveryStore } from './discovery-store.ts'
import { extractDiscoveries, MOST_OF_A_SESSION, moduleNear, pathsIn } from './extract.ts'
import { changedSince, markFiles, markMentioned } from './file-marks.ts'
import { KnownNotes } from './known-notes.ts'

export interface NewDiscovery {
  readonly type: DiscoveryType
  readonly content: string
  readonly module?: string
  readonly files?: readonly string[]
  readonly confidence?: number
  readonly session?: string
}

/** A discovery with the files that changed since it was made: what it says may no longer hold. */
export type CheckedDiscovery = Discovery & { readonly changedFiles: readonly string[] }

const MOST_MARKS = 5
const TOKENS_AT_HAND = 100_000
const CHARACTERS_PER_TOKEN = 4
const MOST_CHARACTERS = TOKENS_AT_HAND * 0.8 * CHARACTERS_PER_TOKEN
/** Other processes add notes as well: after this many of ours, all are measured again. */
const MEASURE_AFTER = 50

/** What was learned about a project, for each user alone. Nothing is deleted; what is too much is archived. */
export class Discoveries {
  readonly #store: DiscoveryStore
  readonly #now: () => Date
  readonly #known: KnownNotes
  readonly #measured = new Map<string, { characters: number; added: number }>()

  constructor(store: DiscoveryStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
    this.#known = new KnownNotes(store)
  }

  /** Said in nearly the same words before, it is the old one that is confirmed. */
  async record(
    owner: Owner,
    { files, confidence = 1, ...given }: NewDiscovery,
  ): Promise<{ discovery: Discovery; merged: boolean }> {
    const known = await this.#findDuplicate(owner, given.content, given.type)
    if (known) {
      await this.#store.touch(owner, [known.id], this.#now().toISOString())
      return { discovery: known, merged: true }
    }
    const marks = files?.length
      ? await markFiles(owner.project, files)
      : await markMentioned(owner.project, pathsIn(given.content), MOST_MARKS)
    const module = given.module ?? moduleNear(given.content)
    const discovery: Discovery = {
      ...given,
      ...(module ? { module } : {}),
      id: randomUUID(),
      date: this.#now().toISOString(),
      confidence,
      origin: 'recorded',
      files: marks,
      accessCount: 0,
      archived: false,
    }
    await this.#store.add(owner, [discovery])
    if (await this.#isTooMuch(owner, discovery.content.length)) await this.#archiveSurplus(owner)
    return { discovery, merged: false }
  }

  /** Draws discoveries from one dialog. Its id and words give the ids, so reading it again adds nothing. */
  async draw(
    owner: Owner,
    session: string,
    texts: readonly string[],
    date: string,
  ): Promise<Discovery[]> {
    const drawn: Discovery[] = []
    for (const { paths, ...extracted } of extractDiscoveries(texts)) {
      const id = createHash('sha256')
        .update(`${session}\0${extracted.type}\0${extracted.content}`)
        .digest('hex')
        .slice(0, 32)
      if ((await this.#store.find(owner, [id])).length > 0) continue
      if (await this.#findDuplicate(owner, extracted.content, extracted.type)) continue
      const files = await markMentioned(owner.project, paths, MOST_MARKS)
      drawn.push({
        ...extracted,
        id,
        session,
        date,
        origin: 'dialog',
        files,
        accessCount: 0,
        archived: false,
      })
    }
    const { total } = await this.#store.list(owner, { session, withArchived: true, limit: 1 })
    return this.#store.add(owner, drawn.slice(0, Math.max(0, MOST_OF_A_SESSION - total)))
  }

  list(
    owner: Owner,
    filter: DiscoveryFilter,
  ): Promise<{ discoveries: Discovery[]; total: number }> {
    return this.#store.list(owner, filter)
  }

  /** Those of these ids that are the owner's. */
  async find(owner: Owner, ids: readonly string[]): Promise<Map<string, CheckedDiscovery>> {
    const checked = await this.check(owner, await this.#store.find(owner, ids))
    return new Map(checked.map((discovery) => [discovery.id, discovery]))
  }

  /** Somebody was shown them. */
  async countUse(owner: Owner, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#store.touch(owner, ids, this.#now().toISOString())
  }

  check({ project }: Owner, discoveries: readonly Discovery[]): Promise<CheckedDiscovery[]> {
    return Promise.all(
      discoveries.map(async (discovery) => ({
        ...discovery,
        changedFiles: await changedSince(project, discovery.files),
      })),
    )
  }

  async #findDuplicate(
    owner: Owner,
    content: string,
    type: DiscoveryType,
  ): Promise<Discovery | undefined> {
    const id = await this.#known.findDuplicate(owner, type, content)
    const [found] = id === undefined ? [] : await this.#store.find(owner, [id])
    return found
  }

  /** Measured once in a while, and added up in between: what there is may be thousands of notes. */
  async #isTooMuch(owner: Owner, added: number): Promise<boolean> {
    const key = `${owner.user}\0${owner.project}`
    const before = this.#measured.get(key)
    const now =
      before && before.added < MEASURE_AFTER
        ? { characters: before.characters + added, added: before.added + 1 }
        : { characters: await this.#store.charactersAtHand(owner), added: 0 }
    this.#measured.set(key, now)
    if (now.characters <= MOST_CHARACTERS) return false
    this.#measured.delete(key)
    return true
  }

  /** Past four fifths of what an agent can hold, the least used fifth steps back. */
  async #archiveSurplus(owner: Owner): Promise<void> {
    const { discoveries } = await this.#store.list(owner, { limit: 10_000 })
    const characters = discoveries.reduce((sum, { content }) => sum + content.length, 0)
    if (characters <= MOST_CHARACTERS) return
    const now = this.#now().getTime()
    const score = ({ accessCount, lastAccessAt, date }: Discovery) =>
      accessScore(accessCount, Date.parse(lastAccessAt ?? date), now)
    const least = [...discoveries]
      .sort((a, b) => score(a) - score(b))
      .slice(0, Math.floor(discoveries.length / 5))
    await this.#store.archive(
      owner,
      least.map(({ id }) => id),
    )
  }
}
