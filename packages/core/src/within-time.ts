/**
 * Waits for work no longer than told; what is not done by then goes on by itself. A plain timer: the
 * module with promised ones is a part of Node that an editor would load for this alone.
 */
export async function withinTime(
  work: Promise<void>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const timeUp = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    await Promise.race([work, timeUp])
  } finally {
    stop()
  }
}

/** Waits for work, but not longer than this: what goes on after it is nobody's concern any more. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
