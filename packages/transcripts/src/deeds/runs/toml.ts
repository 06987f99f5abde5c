import type { JsonObject } from '../../reading/loose-json.ts'

const MAX_DEPTH = 20
/** A broken value is read again from its next line on; this often the length of the text at most. */
const MAX_PASSES = 4

type Table = Record<string, unknown>

/**
 * The tables, lists and strings of a TOML text; numbers, dates and what is broken are left out. The parser that edits
 * settings keeps every blank and comment, which takes too long for files that are read at each question.
 */
export function tomlIn(text: string | undefined): JsonObject {
  return text === undefined ? {} : new TomlReader(text).read()
}

class TomlReader {
  readonly #text: string
  #at = 0
  #spent = 0

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n')
  }

  read(): JsonObject {
    const root: Table = emptyTable()
    let open = root
    const { length } = this.#text
    while (this.#at < length && this.#spent <= length * MAX_PASSES) {
      this.#word(/[\s\uFEFF]*/y)
      const from = this.#at
      const sign = this.#text[from]
      if (sign === '[') open = this.#header(root) ?? emptyTable()
      else if (sign !== undefined && sign !== '#') {
        try {
          this.#pair(open, 0)
        } catch {
          this.#spent += this.#at - from
          this.#at = from
        }
      }
      const end = this.#text.indexOf('\n', this.#at)
      this.#at = end === -1 ? length : end + 1
    }
    return root
  }

  #header(root: Table): Table | undefined {
    const isList = this.#text.startsWith('[[', this.#at)
    this.#at += isList ? 2 : 1
    try {
      const path = this.#path(']')
      return isList ? addTo(root, path) : tableAt(root, path)
    } catch {
      return undefined
    }
  }

  #pair(into: Table, depth: number): void {
    const path = this.#path('=')
    this.#at++
    const value = this.#value(depth)
    const name = path.pop()
    const table = tableAt(into, path)
    if (name !== undefined && value !== undefined && table) table[name] = value
  }

  /** A dotted key up to the sign that ends it. */
  #path(end: string): string[] {
    const path: string[] = []
    for (;;) {
      this.#word(/[ \t]*/y)
      const sign = this.#text[this.#at]
      path.push(sign === '"' || sign === "'" ? this.#quoted() : this.#bare())
      this.#word(/[ \t]*/y)
      if (this.#text[this.#at] === end) return path
      if (this.#text[this.#at] !== '.' || path.length > MAX_DEPTH) throw new Error('No key')
      this.#at++
    }
  }

  #bare(): string {
    const word = this.#word(/[\w-]*/y)
    if (word === '') throw new Error('No key')
    return word
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Error('Too deep')
    this.#word(/[ \t]*/y)
    const sign = this.#text[this.#at]
    if (sign === '"' || sign === "'") return this.#quoted()
    if (sign === '[') return this.#list(depth)
    if (sign === '{') return this.#table(depth)
    this.#word(/[^,\]}#\n]*/y)
    return undefined
  }

  #list(depth: number): unknown[] {
    const values: unknown[] = []
    this.#at++
    for (;;) {
      this.#blanks()
      if (this.#text[this.#at] === ']') break
      const value = this.#value(depth + 1)
      if (value !== undefined) values.push(value)
      this.#blanks()
      if (this.#text[this.#at] === ']') break
      this.#expect(',')
    }
    this.#at++
    return values
  }

  #table(depth: number): Table {
    const table = emptyTable()
    this.#at++
    for (;;) {
      this.#blanks()
      if (this.#text[this.#at] === '}') break
      this.#pair(table, depth + 1)
      this.#blanks()
      if (this.#text[this.#at] === '}') break
      this.#expect(',')
    }
    this.#at++
    return table
  }

  #quoted(): string {
    const quote = this.#text[this.#at] ?? ''
    const mark = this.#text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote
    const from = this.#at + mark.length
    let end = this.#text.indexOf(mark, from)
    while (quote === '"' && end !== -1 && this.#isEscaped(end))
      end = this.#text.indexOf(mark, end + 1)
    const line = mark.length === 1 ? this.#text.indexOf('\n', from) : -1
    if (end === -1 || (line !== -1 && line < end)) throw new Error('No end')
    this.#at = end + mark.length
    const text = this.#text.slice(from, end)
    return quote === "'" ? text : text.replace(/\\(?:\n\s{0,200}|(.))/g, unescaped)
  }

  #isEscaped(at: number): boolean {
    let slashes = 0
    while (this.#text[at - 1 - slashes] === '\\') slashes++
    return slashes % 2 === 1
  }

  #blanks(): void {
    this.#word(/\s*/y)
    while (this.#text[this.#at] === '#') {
      this.#word(/[^\n]*/y)
      this.#word(/\s*/y)
    }
  }

  #expect(sign: string): void {
    if (this.#text[this.#at] !== sign) throw new Error(`No ${sign}`)
    this.#at++
  }

  #word(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [word = ''] = pattern.exec(this.#text) ?? []
    this.#at += word.length
    return word
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescaped(_all: string, sign: string | undefined): string {
  return sign === undefined ? '' : (ESCAPES[sign] ?? sign)
}

/** Without a prototype, so that no key of a file is one of ours. */
function emptyTable(): Table {
  return Object.create(null)
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function tableAt(root: Table, path: readonly string[]): Table | undefined {
  let table = root
  for (const name of path) {
    const known = table[name]
    const next = Array.isArray(known) ? known.at(-1) : (known ?? emptyTable())
    if (!isTable(next)) return undefined
    if (known === undefined) table[name] = next
    table = next
  }
  return table
}

function addTo(root: Table, path: readonly string[]): Table | undefined {
  const table = tableAt(root, path.slice(0, -1))
  const name = path.at(-1)
  if (!table || name === undefined) return undefined
  const added = emptyTable()
  const known = table[name]
  table[name] = Array.isArray(known) ? [...known, added] : [added]
  return added
}
