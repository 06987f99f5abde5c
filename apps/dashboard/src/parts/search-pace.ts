const MINUTE_MS = 60_000
const SHORTEST_MS = 500
const STEP_MS = 100

/**
 * How long after the last key a search begins. It grows with the searches of the last minute, so that somebody who types
 * and thinks without end stays within thirty of them, which is what the server allows.
 */
export function pauseAfter(earlier: readonly number[], now: number): number {
  return SHORTEST_MS + STEP_MS * withinMinute(earlier, now).length
}

export function withinMinute(earlier: readonly number[], now: number): number[] {
  return earlier.filter((at) => now - at < MINUTE_MS)
}
