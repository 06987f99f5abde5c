import { Failure } from './failure.ts'

const AT_ONCE = 16
const WAITING = 256

interface Lane {
  running: number
  readonly waiting: (() => void)[]
}

/** Calls of one user that run at once: the rest wait their turn, so that nobody starves the others. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #atOnce: number
  readonly #mostWaiting: number

  constructor(atOnce = AT_ONCE, mostWaiting = WAITING) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(user) ?? { running: 0, waiting: [] }
    this.#lanes.set(user, lane)
    if (lane.running < this.#atOnce) lane.running++
    else await this.#turn(lane)
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) this.#lanes.delete(user)
    }
  }

  /** Whoever ends hands their place on. */
  #turn(lane: Lane): Promise<void> {
    if (lane.waiting.length >= this.#mostWaiting)
      throw new Failure('too_busy', 'Too many calls at once; try again in a moment', {
        instruction: 'Wait for the calls under way before making more.',
      })
    return new Promise((resolve) => lane.waiting.push(resolve))
  }
}
