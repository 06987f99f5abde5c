import type { Owner } from '../owner.ts'
import type { DiscoveryType } from './discovery.ts'
import type { DiscoveryStore } from './discovery-store.ts'
import { isLike, type Worded, worded } from './likeness.ts'

const COMPARED = 500
const MOST_OWNERS = 50

interface Known extends Worded {
  readonly id: string
  readonly date: string
}

/**
 * The latest notes of each kind with their words, so that a new one is compared without reading them all again:
 * only what was added since the last look is asked for.
 */
export class KnownNotes {
  readonly #store: Pick<DiscoveryStore, 'addedSince'>
  readonly #byOwner = new Map<string, { newest: string; known: Known[] }>()

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
    const ids = new Set(entry.known.map(({ id }) => id))
    for (const { id, content: text, date } of fresh) {
      if (date > entry.newest) entry.newest = date
      if (!ids.has(id)) entry.known.unshift({ id, date, ...worded(text) })
    }
    entry.known.length = Math.min(entry.known.length, COMPARED)
    const note = worded(content)
    return entry.known.find((known) => known.date <= before && isLike(known, note))?.id
  }

  #entryOf({ user, project }: Owner, type: DiscoveryType): { newest: string; known: Known[] } {
    const key = `${user}\0${project}\0${type}`
    const entry = this.#byOwner.get(key) ?? { newest: '', known: [] }
    if (!this.#byOwner.has(key) && this.#byOwner.size >= MOST_OWNERS) this.#byOwner.clear()
    this.#byOwner.set(key, entry)
    return entry
  }
}
