/** Waits for work no longer than told; what is not done by then goes on by itself. */
export async function withinTime(
  work: Promise<void>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const ended = new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, waitMs)
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    if (stop) signal.removeEventListener('abort', stop)
  }
}
