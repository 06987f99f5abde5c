const DAY_MS = 86_400_000

/** 0..1: how much an item is at hand, by how long ago and how often it was used. */
export function accessScore(count: number, lastAccessMs: number, nowMs: number): number {
  const days = Math.max(0, nowMs - lastAccessMs) / DAY_MS
  return 0.6 * Math.max(0, 1 - days / 30) + 0.4 * Math.min(count / 100, 1)
}
