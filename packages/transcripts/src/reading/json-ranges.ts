/** Byte ranges inside a JSON document, found without parsing it: a huge document costs no more than its bytes. */
export interface Range {
  readonly start: number
  readonly end: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Where the value under a path of keys lies; undefined where there is none. */
export function rangeAt(json: Buffer, keys: readonly string[]): Range | undefined {
  let start = skipSpace(json, json.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  for (const key of keys) {
    const value = json[start] === OPEN_OBJECT ? valueStart(json, start, key) : undefined
    if (value === undefined) return undefined
    start = value
  }
  return { start, end: endOfValue(json, start) }
}

/** The elements of an array. */
export function elementsOf(json: Buffer, { start }: Range): Range[] {
  if (json[start] !== OPEN_ARRAY) return []
  const elements: Range[] = []
  let at = skipSpace(json, start + 1)
  while (json[at] !== CLOSE_ARRAY) {
    const end = endOfValue(json, at)
    elements.push({ start: at, end })
    at = skipSpace(json, end)
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
    else if (json[at] !== CLOSE_ARRAY) throw new SyntaxError('JSON array is cut off')
  }
  return elements
}

/** The document with an empty array in a range's place. */
export function withEmptyArray(json: Buffer, { start, end }: Range): Buffer {
  return Buffer.concat([json.subarray(0, start), Buffer.from('[]'), json.subarray(end)])
}

function valueStart(json: Buffer, objectStart: number, key: string): number | undefined {
  let at = skipSpace(json, objectStart + 1)
  while (json[at] === QUOTE) {
    const keyEnd = endOfString(json, at)
    const matches = json.toString('utf8', at + 1, keyEnd - 1) === key
    at = skipSpace(json, keyEnd)
    if (json[at] !== COLON) throw new SyntaxError('JSON object is broken')
    at = skipSpace(json, at + 1)
    if (matches) return at
    at = skipSpace(json, endOfValue(json, at))
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
  }
  return undefined
}

function endOfValue(json: Buffer, start: number): number {
  const first = json[start]
  if (first === QUOTE) return endOfString(json, start)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return endOfScalar(json, start)
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at) - 1
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  throw new SyntaxError('JSON is cut off')
}

function endOfString(json: Buffer, start: number): number {
  for (
    let quote = json.indexOf(QUOTE, start + 1);
    quote !== -1;
    quote = json.indexOf(QUOTE, quote + 1)
  ) {
    let slashes = 0
    while (json[quote - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  throw new SyntaxError('JSON string is cut off')
}

function endOfScalar(json: Buffer, start: number): number {
  let at = start
  while (at < json.length && !isDelimiter(json[at])) at++
  if (at === start) throw new SyntaxError('JSON value is missing')
  return at
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isSpace(byte)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function skipSpace(json: Buffer, start: number): number {
  let at = start
  while (isSpace(json[at])) at++
  return at
}
