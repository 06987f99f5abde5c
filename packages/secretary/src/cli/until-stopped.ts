export interface StopOptions {
  /** For a program that starts this one as its child: when it ends, however it ends, so does the pipe, and so do we. */
  readonly untilStdinEnds?: boolean
}

export const STOP_OPTION = [
  '--until-stdin-ends',
  'exit when standard input closes, for a program that starts this one',
] as const

/** Whatever still hangs by then is left: a server that was asked to end does end. */
const END_WITHIN_MS = 10_000

/** Waits for Ctrl-C, a polite kill, or the end of the terminal. */
export function untilStopped({ untilStdinEnds = false }: StopOptions): Promise<void> {
  return new Promise((resolveStop) => {
    const resolve = () => {
      setTimeout(() => process.exit(), END_WITHIN_MS).unref()
      resolveStop()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
    if (!untilStdinEnds) return
    process.stdin.once('end', resolve).once('close', resolve).once('error', resolve)
    process.stdin.resume()
  })
}
