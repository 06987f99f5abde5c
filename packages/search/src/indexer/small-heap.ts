import v8 from 'node:v8'

/** How much the heap may grow, in percent of what is alive, before it is collected. */
const GROWTH = 50
const AS_USUAL = 0
let running = 0

/**
 * An indexing run makes garbage without end beside a list of all files, and where there is much memory the engine lets the heap
 * grow to four times of what is alive before it looks for garbage: at a million chunks that was half of the peak.
 */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (++running === 1) v8.setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  try {
    return await work()
  } finally {
    if (--running === 0) v8.setFlagsFromString(`--heap-growing-percent=${AS_USUAL}`)
  }
}
