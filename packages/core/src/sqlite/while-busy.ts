import { setTimeout as wait } from 'node:timers/promises'

/** How long a call waits for a lock that another process holds, in all. */
export const BUSY_WAIT_MS = 15_000
/** How long SQLite itself waits, which stops everything else in this process. */
export const BLOCKING_WAIT_MS = 10

const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 100
const BUSY_CODES: readonly number[] = [5, 6]

interface Pause {
  readonly waitMs?: number
  /** Runs around each wait, so that others may go on meanwhile. */
  around?(wait: () => Promise<void>): Promise<void>
}

/** Tries again while another process holds the lock. What is tried must change nothing when it fails. */
export async function whileBusy<T>(
  attempt: () => T | Promise<T>,
  { waitMs = BUSY_WAIT_MS, around = (pause) => pause() }: Pause = {},
): Promise<T> {
  const until = performance.now() + waitMs
  for (let pauseMs = FIRST_WAIT_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_WAIT_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
      await around(() => wait(pauseMs * (0.5 + Math.random())))
    }
  }
}

export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode ?? 0
  return BUSY_CODES.includes(code & 0xff) || /database (table )?is locked/.test(String(error))
}
