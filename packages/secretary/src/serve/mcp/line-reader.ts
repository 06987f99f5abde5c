import { JsonScan } from '@secretary-mcp/core/json-scan.ts'

export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_long' | 'too_much'; readonly id: string | number | null }

const NEWLINE = 0x0a

/** Cuts a stream of bytes into lines. Of a line that is too long nothing is kept but what its answer needs. */
export class LineReader {
  readonly #longest: number
  readonly #waiting: Buffer[] = []
  #parts: Buffer[] = []
  #size = 0
  #scan = new JsonScan()

  constructor(longest: number) {
    this.#longest = longest
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk)
  }

  /** The next whole line; at the end of input also one that nothing follows. */
  next(isEnd: boolean): Line | undefined {
    for (let chunk = this.#waiting.shift(); chunk; chunk = this.#waiting.shift()) {
      const end = chunk.indexOf(NEWLINE)
      this.#take(end === -1 ? chunk : chunk.subarray(0, end))
      if (end === -1) continue
      if (end + 1 < chunk.length) this.#waiting.unshift(chunk.subarray(end + 1))
      return this.#line()
    }
    return isEnd && this.#size > 0 ? this.#line() : undefined
  }

  #take(bytes: Buffer): void {
    this.#scan.feed(bytes)
    this.#size += bytes.length
    if (this.#size > this.#longest) this.#parts = []
    else this.#parts.push(bytes)
  }

  #line(): Line {
    const { id, isTooMuch } = this.#scan
    const line: Line =
      this.#size > this.#longest
        ? { kind: 'too_long', id }
        : isTooMuch
          ? { kind: 'too_much', id }
          : { kind: 'text', text: Buffer.concat(this.#parts).toString('utf8').trim() }
    this.#parts = []
    this.#size = 0
    this.#scan = new JsonScan()
    return line
  }
}
