/** For any time that a clock can show. */
const TIME_DIGITS = 11
const COUNT_DIGITS = 6

/**
 * Versions that sort as text. Each is later than all that this machine has seen, whatever its clock says, and no two machines make
 * the same one.
 */
export class HybridClock {
  readonly #machine: string
  readonly #now: () => number
  #timeMs = 0
  #count = 0

  constructor(machine: string, latest: string | undefined, now: () => number = Date.now) {
    this.#machine = machine
    this.#now = now
    if (latest !== undefined) this.observe(latest)
  }

  observe(version: string): void {
    const [time = '', count = ''] = version.split('.')
    const [timeMs, counted] = [Number.parseInt(time, 36), Number.parseInt(count, 36)]
    if (!Number.isFinite(timeMs) || !Number.isFinite(counted)) return
    if (timeMs < this.#timeMs || (timeMs === this.#timeMs && counted <= this.#count)) return
    this.#timeMs = timeMs
    this.#count = counted
  }

  next(): string {
    const now = this.#now()
    this.#count = now > this.#timeMs ? 0 : this.#count + 1
    this.#timeMs = Math.max(now, this.#timeMs)
    return this.#version(this.#timeMs, this.#count)
  }

  /** For what happened before anybody counted versions. */
  at(timeMs: number): string {
    return this.#version(Math.max(0, Math.min(timeMs || 0, this.#now())), 0)
  }

  #version(timeMs: number, count: number): string {
    return [digits(timeMs, TIME_DIGITS), digits(count, COUNT_DIGITS), this.#machine].join('.')
  }
}

function digits(number: number, length: number): string {
  return number.toString(36).padStart(length, '0')
}
