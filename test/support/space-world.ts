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

/** Of a person, on a machine of their own; spaces have copies. */
export interface KnownDocument {
  readonly owner: string
  readonly path: string
  /** A word that is nowhere else. */
  readonly word: string
  /** Ids of the spaces that have a copy. */
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
  readonly documents: KnownDocument[] = []
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

  /** On a server that has nobody's dialogs and documents: through a space, or not at all. */
  readsShared(user: string, { spaces }: KnownRequest | KnownDocument): boolean {
    return [...spaces].some((space) => this.isAtLeast(user, space, 'reader'))
  }

  /** Every word that somebody wrote. */
  get words(): string[] {
    const { tasks, discoveries, requests, documents } = this
    return [...tasks.values(), ...discoveries, ...requests, ...documents].map(({ word }) => word)
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
      ...[...this.requests, ...this.documents]
        .filter((one) => one.owner !== user && !this.readsShared(user, one))
        .map(({ word }) => word),
      ...[...this.spaces.values()]
        .filter(({ id }) => !mine.has(id))
        .flatMap(({ id, name }) => (owned.has(id) ? [id] : [id, name])),
    ]
  }
}
