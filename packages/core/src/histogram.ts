/** Durations in buckets that grow by 5 %, so that figures of many processes can be added up and kept. */
const GROWTH = Math.log(1.05)
const SMALLEST_MS = 0.01

export function bucketOf(ms: number): number {
  return Math.max(0, Math.round(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / GROWTH))
}

export function msOf(bucket: number): number {
  return SMALLEST_MS * Math.exp(bucket * GROWTH)
}

/** The duration below which the given share of all calls lies, from counts by bucket. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const buckets = [...counts].sort(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  for (const [bucket, count] of buckets) {
    seen += count
    if (seen >= total * share) return msOf(bucket)
  }
  return undefined
}
