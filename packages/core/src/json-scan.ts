const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const MAX_ID = 300

/** More than any of our tools takes, and little enough to be read in a moment. */
export const MAX_ELEMENTS = 10_000
export const DEEPEST = 100

/**
 * Looks at JSON without building it: how many elements it has, how deep it goes, and the `id` of a message.
 * It takes pieces as they come and keeps none of them, so that a message too large to keep can still be answered.
 */
export class JsonScan {
  elements = 0
  deepest = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** What is collected at the top level: a key, or the value of `id`. */
  #text = ''
  #key = ''
  #id = ''

  get isTooMuch(): boolean {
    return this.elements > MAX_ELEMENTS || this.deepest > DEEPEST
  }

  /** The id of a message as JSON-RPC allows it: a text or a number. */
  get id(): string | number | null {
    try {
      const id: unknown = JSON.parse(this.#id)
      return typeof id === 'string' || typeof id === 'number' ? id : null
    } catch {
      return null
    }
  }

  feed(bytes: Uint8Array): this {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (this.#depth === 1) this.#atTop(byte)
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
      } else if (byte === QUOTE) this.#isInString = true
      else if (byte === COMMA) this.elements++
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.elements++
        this.#depth++
        if (this.#depth > this.deepest) this.deepest = this.#depth
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth--
    }
    return this
  }

  #atTop(byte: number): void {
    if (this.#isInString) this.#collect(byte)
    else if (byte === COLON) {
      this.#key = this.#text.trim()
      this.#text = ''
    } else if (byte === COMMA || byte === CLOSE_OBJECT) {
      if (this.#key === '"id"') this.#id = this.#text
      this.#key = ''
      this.#text = ''
    } else this.#collect(byte)
  }

  #collect(byte: number): void {
    if (this.#text.length < MAX_ID) this.#text += String.fromCharCode(byte)
  }
}
