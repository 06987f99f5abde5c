import { setTimeout as wait } from 'node:timers/promises'

/** Waits for work no longer than told; what is not done by then goes on by itself. */
export async function withinTime(
  work: Promise<void>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  try {
    await Promise.race([work, wait(waitMs, undefined, { signal: either })])
  } finally {
    done.abort()
  }
}
