export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

/** Whether it happened in this process, or in another one on the same database. */
export type Origin = 'here' | 'elsewhere'

type Listener = (change: Change, origin: Origin) => void

/** How a module says that a list or a document is no longer what clients saw. */
export class Changes {
  readonly #listeners = new Set<Listener>()

  announce(change: Change, origin: Origin = 'here'): void {
    for (const listener of this.#listeners) listener(change, origin)
  }

  /** Returns the function that ends the subscription. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** What the other servers on one database must hear of. */
export type ReplicaEvent =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'chat'; readonly user: string }
  | { readonly kind: 'written'; readonly topics: readonly string[] }
  /** Something may have happened while nobody listened. */
  | { readonly kind: 'missed' }

/** Between the servers on one database. An event never costs the call that caused it. */
export interface ReplicaEvents {
  publish(event: ReplicaEvent): void
  /** Hears what others publish, for as long as the server runs. */
  follow(listener: (event: ReplicaEvent) => void): { close(): Promise<void> }
}
