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
    if (!this.#byOwner.has(key) && this.#byOwner.size >= MOST_OWNERS) this.#byOwner.clear()
    this.#byOwner.set(key, entry)
    return entry
  }
}
