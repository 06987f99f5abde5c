/** About 12,000 tokens: what an agent can take in one answer. */
export const LONGEST_ANSWER = 48_000
const MOST_SHOWN = 200

/** As many as fit into one answer from `offset` on; only these are looked at closely. */
export function bounded<T, V>(
  all: readonly T[],
  view: (one: T) => V,
  offset = 0,
): { readonly shown: V[]; readonly next?: number } {
  const shown: V[] = []
  let room = LONGEST_ANSWER
  for (const one of all.slice(offset, offset + MOST_SHOWN)) {
    const viewed = view(one)
    room -= JSON.stringify(viewed).length
    if (room < 0 && shown.length > 0) break
    shown.push(viewed)
  }
  const next = offset + shown.length
  return next < all.length ? { shown, next } : { shown }
}

/** How to get the rest; undefined where all is shown. */
export function howToGoOn(total: number, next: number | undefined): string | undefined {
  return next === undefined ? undefined : `${total - next} more: call again with offset ${next}`
}
