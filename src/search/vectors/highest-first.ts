/** The places of the highest scores, the highest first; of equal ones the earlier place first. Most are looked at once and left. */
export function highestFirst(scores: ArrayLike<number>, limit: number): number[] {
  /** Of the kept places the worst is on top: it goes when a better one comes. */
  const kept: number[] = []
  const isWorse = (a: number, b: number) =>
    (scores[a] as number) < (scores[b] as number) ||
    ((scores[a] as number) === (scores[b] as number) && a > b)

  for (let place = 0; place < scores.length; place++) {
    if (kept.length < limit) {
      kept.push(place)
      rise(kept.length - 1)
    } else if (limit > 0 && isWorse(kept[0] as number, place)) {
      kept[0] = place
      sink()
    }
  }
  return kept.sort((a, b) => (isWorse(a, b) ? 1 : -1))

  function rise(from: number): void {
    for (
      let at = from, above = (at - 1) >> 1;
      at > 0 && isWorse(kept[at] as number, kept[above] as number);
    ) {
      swap(at, above)
      at = above
      above = (at - 1) >> 1
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      let worst = at
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < kept.length && isWorse(kept[below] as number, kept[worst] as number))
          worst = below
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  function swap(a: number, b: number): void {
    const held = kept[a] as number
    kept[a] = kept[b] as number
    kept[b] = held
  }
}
