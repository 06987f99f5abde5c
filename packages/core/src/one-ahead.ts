/** In order, while the next one is begun: one waits for the disk as the other is worked on. */
export async function* oneAhead<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  let [next] = items.slice(0, 1).map(work)
  for (let place = 1; next; place++) {
    const current = next
    ;[next] = items.slice(place, place + 1).map(work)
    // Whoever stops early does not hear how it went.
    next?.catch(() => {})
    yield await current
  }
}
