/** The places of the highest scores, the highest first; of equal ones the earlier place first. Most are looked at once and left. */
export function highestFirst(scores: Float32Array, limit: number): number[] {
  /** Of the kept places the worst is on top: it goes when a better one comes. */
  const kept: number[] = []
  const isWorse = (a: number, b: number) =>
    (scores[a] as number) < (scores[b] as number) ||
    ((scores[a] as number) === (scores[b] as number) && a > b)

  const first = Math.min(limit, scores.length)
  if (first === 0) return kept
  for (let place = 0; place < first; place++) {
    kept.push(place)
    rise(place)
  }
  const mark = () => scores[kept[0] as number] as number
  for (let next = first; ; next++) {
    next = above(scores, next, mark())
    if (next === scores.length) break
    kept[0] = next
    sink()
  }
  return kept.sort((a, b) => (isWorse(a, b) ? 1 : -1))

  function rise(from: number): void {
    for (
      let at = from, parent = (at - 1) >> 1;
      at > 0 && isWorse(kept[at] as number, kept[parent] as number);
    ) {
      swap(at, parent)
      at = parent
      parent = (at - 1) >> 1
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

/** The next place with a higher score than the mark. By itself, because it looks at a million places in a millisecond then. */
function above(scores: Float32Array, from: number, mark: number): number {
  let at = from
  while (at < scores.length && (scores[at] as number) <= mark) at++
  return at
}
