import { createHash, randomUUID } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { accessScore, type Owner } from '../access/access.ts'
import type {
  Discovery,
  DiscoveryFilter,
  DiscoveryStore,
  DiscoveryType,
  FileMark,
  Verdict,
} from './discovery.ts'

import { extractDiscoveries, moduleNear, pathsIn } from './extract.ts'
import { isLike, type Worded, worded } from './likeness.ts'

export interface NewDiscovery {
  readonly type: DiscoveryType
  readonly content: string
  readonly module?: string
  readonly files?: readonly string[]
  readonly confidence?: number
  readonly session?: string
  /** The dialog in which it was found out. */
  readonly dialog?: string
  /** The space that it is for, instead of its author alone. */
  readonly space?: { readonly id: string; readonly name: string }
}

/** What it says may no longer hold: files changed since it was made, or there is a newer word. */
export interface CheckedDiscovery extends Discovery {
  readonly changedFiles: readonly string[]
  /** The id of the discovery that follows it. */
  readonly newer?: string
}

const MAX_MARKS = 5
const MAX_LISTED = 10_000
const TOKENS_AT_HAND = 100_000
const CHARACTERS_PER_TOKEN = 4
const MAX_CHARACTERS = TOKENS_AT_HAND * 0.8 * CHARACTERS_PER_TOKEN
/** So many may be adding notes at the same time. */
const PROCESSES = 8

/**
 * What was learned about a project, for each user alone or for a space. Nothing but a suggestion is deleted; what is too much is
 * archived.
 */
export class Discoveries {
  readonly #store: DiscoveryStore
  readonly #now: () => Date
  readonly #known: KnownNotes
  readonly #measured = new Map<string, { readonly share: number; added: number }>()

  constructor(store: DiscoveryStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
    this.#known = new KnownNotes(store)
  }

  /** Said before, it is the old one that is confirmed; like an older one but not the same, it is the newer word on it. */
  async record(
    by: Owner,
    { files, confidence = 1, dialog, session, space, ...said }: NewDiscovery,
  ): Promise<{ discovery: Discovery; merged: boolean }> {
    const owner = space ? { user: by.user, project: by.project, space: space.id } : by
    const given = { ...said, content: redact(said.content) }
    // Others learn what was found out, not in which dialog.
    const from = space ? {} : { ...(dialog ? { dialog } : {}) }
    const marks = files?.length
      ? await markFiles(owner.project, files)
      : await markMentioned(owner.project, pathsIn(given.content), MAX_MARKS)
    const module = given.module ?? moduleNear(given.content)
    const date = this.#now().toISOString()
    const follows = await this.#known.findLike(owner, given.type, given.content, date)
    const recorded = await this.#store.record(owner, {
      ...given,
      ...(space ? { space: space.name, spaceId: space.id } : { session }),
      ...(module ? { module } : {}),
      ...(follows ? { follows } : {}),
      id: randomUUID(),
      date,
      confidence,
      origin: 'recorded',
      files: marks,
      sources: [{ date, ...from }],
      accessCount: 0,
      archived: false,
    })
    const added = recorded.merged ? 0 : given.content.length
    if (added > 0 && (await this.#isTooMuch(owner, added))) await this.#archiveSurplus(owner)
    return space
      ? { ...recorded, discovery: { ...recorded.discovery, space: space.name } }
      : recorded
  }

  /**
   * Suggests what the person typed in one dialog. The dialog's id and the words give the ids, so reading it again adds nothing,
   * and what is no longer drawn from it goes.
   */
  async suggest(
    owner: Owner,
    session: string,
    turns: readonly { readonly typed: string; readonly request: number }[],
    date: string,
  ): Promise<void> {
    const drawn: Discovery[] = []
    for (const { paths, index, ...extracted } of extractDiscoveries(
      turns.map(({ typed }) => typed),
    )) {
      const id = createHash('sha256')
        .update(`${session}\0${extracted.type}\0${extracted.content}`)
        .digest('hex')
        .slice(0, 32)
      const request = turns[index]?.request
      drawn.push({
        ...extracted,
        id,
        session,
        date,
        origin: 'dialog',
        files: await markMentioned(owner.project, paths, MAX_MARKS),
        sources: [{ dialog: session, date, ...(request ? { request } : {}) }],
        accessCount: 0,
        archived: false,
      })
    }
    await this.#store.suggest(owner, session, drawn)
  }

  /** What a person says about a suggestion. A confirmed one counts from now on like one that was recorded. */
  async judge(owner: Owner, id: string, verdict: Verdict): Promise<Discovery | undefined> {
    if (verdict === 'dismissed') return this.#store.judge(owner, id, { verdict })
    const { discoveries } = await this.#store.list(owner, { state: 'suggested', limit: MAX_LISTED })
    const suggestion = discoveries.find((one) => one.id === id)
    if (!suggestion) return undefined
    const { type, content, date } = suggestion
    const follows = await this.#known.findLike(owner, type, content, date)
    const confirmed = await this.#store.judge(owner, id, { verdict, follows })
    if (confirmed && (await this.#isTooMuch(owner, content.length)))
      await this.#archiveSurplus(owner)
    return confirmed
  }

  list(
    owner: Owner,
    filter: DiscoveryFilter,
  ): Promise<{ discoveries: Discovery[]; total: number }> {
    return this.#store.list(owner, filter)
  }

  /** Those of these ids that the owner may read. */
  async find(owner: Owner, ids: readonly string[]): Promise<Map<string, CheckedDiscovery>> {
    // The two ask nothing of each other, and a search waits for both.
    const [found, newer] = await Promise.all([
      this.#store.find(owner, ids),
      this.#store.followers(owner, ids),
    ])
    const checked = await this.#checked(owner, found, newer)
    return new Map(checked.map((discovery) => [discovery.id, discovery]))
  }

  /** Of those that the owner may read, the name of the space that each belongs to and who recorded it there. */
  async originsOf(
    owner: Owner,
    ids: readonly string[],
  ): Promise<Map<string, { readonly space?: string; readonly by?: string }>> {
    const found = await this.#store.find(owner, ids)
    return new Map(
      found.map(({ id, space, by }) => [
        id,
        space === undefined ? {} : { space, ...(by === undefined ? {} : { by }) },
      ]),
    )
  }

  /** Somebody was shown them. */
  async countUse(owner: Owner, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#store.touch(owner, ids, this.#now().toISOString())
  }

  async check(owner: Owner, discoveries: readonly Discovery[]): Promise<CheckedDiscovery[]> {
    const newer = await this.#store.followers(
      owner,
      discoveries.map(({ id }) => id),
    )
    return this.#checked(owner, discoveries, newer)
  }

  #checked(
    owner: Owner,
    discoveries: readonly Discovery[],
    newer: ReadonlyMap<string, string>,
  ): Promise<CheckedDiscovery[]> {
    return Promise.all(
      discoveries.map(async (discovery) => ({
        ...discovery,
        changedFiles: await changedSince(owner.project, discovery.files),
        ...(newer.has(discovery.id) ? { newer: newer.get(discovery.id) } : {}),
      })),
    )
  }

  /** Measured again before the others could have filled what room was left, each as fast as we. */
  async #isTooMuch(owner: Owner, added: number): Promise<boolean> {
    const key = `${owner.space ?? ''}\0${owner.space ? '' : owner.user}\0${owner.project}`
    const before = this.#measured.get(key)
    if (before && before.added + added < before.share) {
      before.added += added
      return false
    }
    const room = MAX_CHARACTERS - (await this.#store.charactersAtHand(owner))
    this.#measured.set(key, { share: room / PROCESSES, added: 0 })
    return room < 0
  }

  /** Past four fifths of what an agent can hold, the least used fifth steps back. */
  async #archiveSurplus(owner: Owner): Promise<void> {
    const { discoveries } = await this.#store.list(owner, { limit: MAX_LISTED })
    const characters = discoveries.reduce((sum, { content }) => sum + content.length, 0)
    if (characters <= MAX_CHARACTERS) return
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

/** Marks of files as they are now. A path that cannot be read is a failure. */
async function markFiles(project: string, paths: readonly string[]): Promise<FileMark[]> {
  const marks = await Promise.all(paths.map((path) => markOf(project, path)))
  return [...new Map(marks.map((mark) => [mark.path, mark])).values()]
}

/** Of paths that were only mentioned, those that are files of the project. */
async function markMentioned(
  project: string,
  paths: readonly string[],
  most: number,
): Promise<FileMark[]> {
  const marks: FileMark[] = []
  for (const path of paths) {
    const mark = marks.length < most ? await findMark(project, path) : undefined
    if (mark && !marks.some((known) => known.path === mark.path)) marks.push(mark)
  }
  return marks
}

/** The marked files whose content is another by now, or which are gone. */
async function changedSince(project: string, marks: readonly FileMark[]): Promise<string[]> {
  const now = await Promise.all(marks.map(({ path }) => findMark(project, path)))
  return marks.filter(({ hash }, place) => now[place]?.hash !== hash).map(({ path }) => path)
}

async function findMark(project: string, path: string): Promise<FileMark | undefined> {
  try {
    return await markOf(project, path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

async function markOf(project: string, path: string): Promise<FileMark> {
  const { readProjectFile } = await import('../files/file-reader.ts')
  const { file } = await readProjectFile(project, path)
  return {
    path: file.path,
    hash: createHash('sha256').update(file.content).digest('hex').slice(0, 32),
  }
}

const COMPARED = 500
const MAX_OWNERS = 50

interface Known extends Worded {
  readonly id: string
  readonly date: string
}

interface Entry {
  newest: string
  /** The oldest first. */
  readonly known: Map<string, Known>
}

/**
 * The latest notes of each kind with their words, so that a new one is compared without reading them all again:
 * only what was added since the last look is asked for.
 */
export class KnownNotes {
  readonly #store: Pick<DiscoveryStore, 'addedSince'>
  readonly #byOwner = new Map<string, Entry>()

  constructor(store: Pick<DiscoveryStore, 'addedSince'>) {
    this.#store = store
  }

  /** The id of the latest note before a moment that speaks of the same thing. */
  async findLike(
    owner: Owner,
    type: DiscoveryType,
    content: string,
    before: string,
  ): Promise<string | undefined> {
    const entry = this.#entryOf(owner, type)
    const fresh = await this.#store.addedSince(owner, type, entry.newest, COMPARED)
    for (const { id, content: text, date } of fresh) {
      if (date > entry.newest) entry.newest = date
      if (!entry.known.has(id)) entry.known.set(id, { id, date, ...worded(text) })
    }
    for (const id of entry.known.keys())
      if (entry.known.size > COMPARED) entry.known.delete(id)
      else break
    const note = worded(content)
    let latest: string | undefined
    for (const known of entry.known.values())
      if (known.date <= before && isLike(known, note)) latest = known.id
    return latest
  }

  #entryOf({ user, project, space }: Owner, type: DiscoveryType): Entry {
    const whose = space === undefined ? `\0${user}` : space
    const key = `${whose}\0${project}\0${type}`
    const entry = this.#byOwner.get(key) ?? { newest: '', known: new Map() }
    if (!this.#byOwner.has(key) && this.#byOwner.size >= MAX_OWNERS) this.#byOwner.clear()
    this.#byOwner.set(key, entry)
    return entry
  }
}
