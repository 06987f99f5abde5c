export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

type Listener = (change: Change) => void

/** How a module says that a list or a document is no longer what clients saw. */
export class Changes {
  readonly #listeners = new Set<Listener>()

  announce(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Returns the function that ends the subscription. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
