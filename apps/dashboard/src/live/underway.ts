/** A connection that has been silent for longer than this may be dead. */
const PATIENCE_MS = 10_000

/** A request on its way. */
export interface Underway {
  readonly stop: AbortController
  readonly since: number
  /** Something changed meanwhile: it is made again once it is answered. */
  isStale: boolean
}

/**
 * The next request, unless the one before it may still be answered: if changes come faster than answers, starting over
 * at each change would never show one.
 */
export function underway(before: Underway | undefined): Underway | undefined {
  if (before && performance.now() - before.since < PATIENCE_MS) {
    before.isStale = true
    return undefined
  }
  before?.stop.abort()
  return { stop: new AbortController(), since: performance.now(), isStale: false }
}
