export type Role = 'reader' | 'member' | 'operator'
export const EVERYBODY = 'everybody'

export interface KnownTask {
  readonly id: number
  readonly owner: string
  /** A word that is nowhere else. */
  readonly word: string
  completed: boolean
  space?: string
}

export interface KnownDiscovery {
  readonly author: string
  readonly word: string
  readonly content: string
  readonly space?: string
}

export interface KnownRequest {
  readonly owner: string
  readonly sessionId: string
  /** A word that is nowhere else. */
  readonly word: string
  /** What was changed for it. */
  readonly file: string
  /** Ids of the spaces that it is shared with. */
  readonly spaces: Set<string>
}

export interface KnownSpace {
  readonly id: string
  readonly name: string
  readonly roles: Map<string, Role>
}

const RANK = { reader: 0, member: 1, operator: 2 } as const

/** What ought to hold, kept apart from the product: who belongs where, what is whose, who may see and do what. */
export class SpaceWorld {
  readonly spaces = new Map<string, KnownSpace>([
    [EVERYBODY, { id: EVERYBODY, name: EVERYBODY, roles: new Map() }],
  ])
  readonly tasks = new Map<number, KnownTask>()
  readonly discoveries: KnownDiscovery[] = []
  readonly requests: KnownRequest[] = []
  readonly #serverOperators: ReadonlySet<string>

  constructor(serverOperators: Iterable<string>) {
    this.#serverOperators = new Set(serverOperators)
  }

  roleIn(user: string, space: string): Role | undefined {
    if (space === EVERYBODY) return this.#serverOperators.has(user) ? 'operator' : 'member'
    return this.spaces.get(space)?.roles.get(user)
  }

  isAtLeast(user: string, space: string | undefined, role: Role): boolean {
    const own = space === undefined ? undefined : this.roleIn(user, space)
    return own !== undefined && RANK[own] >= RANK[role]
  }

  readsTask(user: string, { owner, space }: KnownTask): boolean {
    return owner === user || this.isAtLeast(user, space, 'reader')
  }

  readsDiscovery(user: string, { author, space }: KnownDiscovery): boolean {
    return space === undefined ? author === user : this.isAtLeast(user, space, 'reader')
  }

  /** On a server that has no dialogs of anybody: through a space, or not at all. */
  readsRequest(user: string, { spaces }: KnownRequest): boolean {
    return [...spaces].some((space) => this.isAtLeast(user, space, 'reader'))
  }

  requestsOf(user: string): KnownRequest[] {
    return this.requests.filter((request) => this.readsRequest(user, request))
  }

  /** The names of the spaces through which somebody may read a request. */
  nameOf({ spaces }: KnownRequest, user: string): string[] {
    return this.spacesOf(user)
      .filter(({ id }) => spaces.has(id))
      .map(({ name }) => name)
  }

  spacesOf(user: string): KnownSpace[] {
    return [...this.spaces.values()].filter(({ id }) => this.roleIn(user, id))
  }

  tasksOf(user: string): KnownTask[] {
    return [...this.tasks.values()].filter((task) => this.readsTask(user, task))
  }

  discoveriesOf(user: string): KnownDiscovery[] {
    return this.discoveries.filter((one) => this.readsDiscovery(user, one))
  }

  /** The status that a change of who belongs to a space must be answered with. */
  memberChange(actor: string, space: string, user: string, role?: Role): number {
    if (!this.roleIn(actor, space)) return 404
    if (space === EVERYBODY) return 403
    const roles = this.spaces.get(space)?.roles ?? new Map<string, Role>()
    const isLeaving = actor === user && role === undefined
    if (!isLeaving && !this.isAtLeast(actor, space, 'operator')) return 403
    if (role === undefined && !roles.has(user)) return 404
    const others = [...roles].filter(([name, one]) => name !== user && one === 'operator')
    const isLast = roles.get(user) === 'operator' && others.length === 0
    return isLast && role !== 'operator' ? 409 : 204
  }

  /** Words and names that a person must not come across. */
  hiddenFrom(user: string): string[] {
    const mine = new Set(this.spacesOf(user).map(({ id }) => id))
    const owned = new Set(this.tasksOf(user).flatMap(({ space }) => space ?? []))
    // Whoever has left sees where they still share something, so that they can take it back.
    for (const { owner, spaces } of this.requests)
      if (owner === user) for (const space of spaces) owned.add(space)
    return [
      ...[...this.tasks.values()]
        .filter((task) => !this.readsTask(user, task))
        .map(({ word }) => word),
      ...this.discoveries.filter((one) => !this.readsDiscovery(user, one)).map(({ word }) => word),
      ...this.requests
        .filter((request) => request.owner !== user && !this.readsRequest(user, request))
        .map(({ word }) => word),
      ...[...this.spaces.values()]
        .filter(({ id }) => !mine.has(id))
        .flatMap(({ id, name }) => (owned.has(id) ? [id] : [id, name])),
    ]
  }
}

/** The same numbers for the same seed. */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const among = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(next() * list.length)]
    if (one === undefined) throw new Error('nothing to choose from')
    return one
  }
  const word = () => Array.from({ length: 10 }, () => among([...'bcdfghjklmnpqrstvwxz'])).join('')
  return { next, among, word }
}
