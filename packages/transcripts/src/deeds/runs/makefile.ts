/** A rule of a makefile: `name: needs`, and the commands below it with their variables filled in. */
export interface MakeRule {
  readonly name: string
  readonly needs: readonly string[]
  readonly commands: readonly string[]
}

export interface Makefile {
  readonly rules: readonly MakeRule[]
  /** What `make` alone makes. */
  readonly goal?: string
}

const MAX_FILES = 20
const MAX_RULES = 500
/** Signs that filling in variables may give in all: they can hold one another many times over. */
const MAX_EXPANDED = 400_000
const MAX_DEPTH = 30
/** What only make itself could work out. */
const UNKNOWN = '\uFFFD'
const NEED = /^[\w.:/%-]{1,200}$/

interface RawRule {
  readonly names: string
  readonly needs: string
  readonly commands: string[]
}

/** Reads a makefile and what it includes; `read` gives the text of a file, or nothing. */
export function readMakefile(file: string, read: (file: string) => string | undefined): Makefile {
  const reader = new MakeReader(read)
  reader.file(file)
  return reader.makefile()
}

class MakeReader {
  readonly #read: (file: string) => string | undefined
  readonly #variables = new Map<string, string>()
  readonly #rules: RawRule[] = []
  readonly #files = new Set<string>()
  #left = MAX_EXPANDED

  constructor(read: (file: string) => string | undefined) {
    this.#read = read
  }

  file(name: string): void {
    if (this.#files.has(name) || this.#files.size === MAX_FILES) return
    this.#files.add(name)
    let open: RawRule | undefined
    let defined: { name: string; lines: string[] } | undefined
    for (const line of logicalLines(this.#read(name) ?? '')) {
      const words = line.trim()
      if (defined) {
        if (words === 'endef') {
          this.#variables.set(defined.name, defined.lines.join('\n'))
          defined = undefined
        } else defined.lines.push(line)
        continue
      }
      const isIndented = line.startsWith('\t') || (line.startsWith('  ') && !assignmentIn(words))
      if (open && isIndented && !DIRECTIVE.test(words)) {
        if (words !== '' && !words.startsWith('#')) open.commands.push(words)
        continue
      }
      const text = withoutComment(words)
      if (text === '' || DIRECTIVE.test(text)) continue
      const [, define] = /^define\s{1,20}([\w.-]{1,200})/.exec(text) ?? []
      const [, files] = /^[-s]?include\s(.*)$/.exec(text) ?? []
      const assigned = assignmentIn(text.replace(/^((export|override|private)\s{1,20}){1,3}/, ''))
      if (define !== undefined) defined = { name: define, lines: [] }
      else if (files !== undefined) for (const one of this.#words(files)) this.file(one)
      else if (assigned) this.#assign(assigned)
      else open = this.#open(text)
    }
  }

  makefile(): Makefile {
    const rules = new Map<string, { name: string; needs: string[]; commands: string[] }>()
    for (const raw of this.#rules)
      for (const name of this.#words(raw.names.replace(/&$/, ''))) {
        if (rules.size >= MAX_RULES || this.#left <= 0 || name.includes(UNKNOWN)) continue
        const rule = rules.get(name) ?? { name, needs: [], commands: [] }
        rules.set(name, rule)
        const needs = this.#words(raw.needs.replaceAll('|', ' ')).filter((one) => NEED.test(one))
        const own = new Map([
          ['@', name],
          ['<', needs[0] ?? ''],
          ['^', needs.join(' ')],
        ])
        rule.needs.push(...needs)
        rule.commands.push(
          ...raw.commands.flatMap((line) =>
            this.#expand(line, own)
              .replaceAll(UNKNOWN, 'x')
              .split('\n')
              .map((one) => one.replace(/^[\s@+-]{1,20}/, ''))
              .filter(Boolean),
          ),
        )
      }
    const named = [...rules.values()].filter(({ name }) => !name.startsWith('.'))
    const first = named.find(({ name }) => !name.includes('%'))?.name
    const goal = this.#expand(this.#variables.get('.DEFAULT_GOAL') ?? '').trim() || first
    return { rules: named, ...(goal === undefined ? {} : { goal }) }
  }

  #words(text: string): string[] {
    return this.#expand(text).split(/\s+/).filter(Boolean)
  }

  #assign({ name, operator, value }: Assignment): void {
    const before = this.#variables.get(name)
    if (operator === '?' && before !== undefined) return
    if (operator === '+') this.#variables.set(name, `${before ?? ''} ${value}`)
    // What a command prints is not known.
    else if (operator === '!') this.#variables.set(name, UNKNOWN)
    // `X := $(X) more` is filled in where it stands.
    else this.#variables.set(name, operator === ':' ? this.#expand(value) : value)
  }

  #open(text: string): RawRule | undefined {
    const colon = outside(text, ':')
    if (colon === -1 || this.#rules.length === MAX_RULES) return undefined
    const rest = text.slice(colon + 1).replace(/^:/, '')
    // A variable of this target alone.
    if (assignmentIn(rest.trim().replace(/^((export|override|private)\s{1,20}){1,3}/, '')))
      return undefined
    const semicolon = outside(rest, ';')
    const needs = semicolon === -1 ? rest : rest.slice(0, semicolon)
    // `a.o b.o: %.o: %.c`
    const pattern = outside(needs, ':')
    const rule = {
      names: text.slice(0, colon),
      needs: needs.slice(pattern + 1),
      commands: semicolon === -1 ? [] : [rest.slice(semicolon + 1).trim()],
    }
    this.#rules.push(rule)
    return rule
  }

  #expand(text: string, own?: ReadonlyMap<string, string>, depth = 0): string {
    let out = ''
    for (let at = 0; at < text.length; ) {
      const sign = text.indexOf('$', at)
      if (sign === -1 || this.#left <= 0 || depth > MAX_DEPTH) {
        out += text.slice(at)
        break
      }
      out += text.slice(at, sign)
      const next = text[sign + 1] ?? ''
      const isOpen = next === '(' || next === '{'
      const end = isOpen ? closing(text, sign + 1) : sign + 1
      at = end + 1
      if (next === '$') out += '$'
      else if (isOpen) out += this.#reference(text.slice(sign + 2, end), own, depth + 1)
      else out += this.#variable(next, own, depth + 1)
    }
    this.#left -= out.length + 1
    return this.#left <= 0 ? '' : out
  }

  #reference(inner: string, own: ReadonlyMap<string, string> | undefined, depth: number): string {
    const [, name = '', given = ''] = /^([a-z]{2,20})[ \t]([\s\S]*)$/.exec(inner.trimStart()) ?? []
    if (name === '') {
      // `$(FILES:.c=.o)`
      const colon = inner.indexOf(':')
      const plain = colon === -1 ? inner : inner.slice(0, colon)
      return this.#variable(this.#expand(plain, own, depth).trim(), own, depth)
    }
    const args = splitOutside(given)
    const [first = '', second = '', third = ''] = args
    const filled = (text: string, more = own) => this.#expand(text, more, depth)
    const wordsOf = (text: string) => filled(text).split(/\s+/).filter(Boolean)
    switch (name) {
      case 'if':
        return filled(second)
      case 'or':
        return args.map((arg) => filled(arg).trim()).find(Boolean) ?? ''
      case 'strip':
      case 'sort':
        return filled(first)
      case 'addprefix':
        return wordsOf(second)
          .map((word) => filled(first) + word)
          .join(' ')
      case 'addsuffix':
        return wordsOf(second)
          .map((word) => word + filled(first))
          .join(' ')
      case 'foreach': {
        const [word = 'x'] = wordsOf(second)
        return filled(third, new Map([...(own ?? []), [filled(first).trim(), word]]))
      }
      case 'call': {
        const called = args.map((arg, at): [string, string] => [String(at), filled(arg).trim()])
        return this.#variable(filled(first).trim(), new Map([...(own ?? []), ...called]), depth)
      }
      default:
        return UNKNOWN
    }
  }

  #variable(name: string, own: ReadonlyMap<string, string> | undefined, depth: number): string {
    const known = own?.get(name)
    if (known !== undefined) return known
    if (name === 'MAKE') return 'make'
    if (name === 'CURDIR') return '.'
    return this.#expand(this.#variables.get(name) ?? '', own, depth)
  }
}

const DIRECTIVE =
  /^(ifeq|ifneq|ifdef|ifndef|else|endif|export|unexport|undefine|vpath)\b(?!.{0,200}=)|^(ifeq|ifneq|else)\b/

interface Assignment {
  readonly name: string
  readonly operator: string
  readonly value: string
}

function assignmentIn(line: string): Assignment | undefined {
  const sign = line.indexOf('=')
  if (sign === -1) return undefined
  const [, name, operator = ''] =
    /^([\w.-]{1,200})\s{0,200}([:?+!]{0,3})$/.exec(line.slice(0, sign)) ?? []
  if (name === undefined) return undefined
  return { name, operator: operator.slice(0, 1), value: line.slice(sign + 1).trim() }
}

/** Lines that end with a backslash go on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let parts: string[] = []
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const words = parts.length > 0 ? line.trimStart() : line
    if (line.endsWith('\\')) {
      parts.push(words.slice(0, -1).trimEnd())
      if (parts.length === 1 && line.startsWith('\t')) parts[0] = `\t${parts[0]?.trimStart()}`
      continue
    }
    lines.push([...parts, words].join(' '))
    parts = []
  }
  return parts.length > 0 ? [...lines, parts.join(' ')] : lines
}

function withoutComment(line: string): string {
  const sign = line.startsWith('#') ? 0 : line.search(/(?<!\\)#/)
  return sign === -1 ? line : line.slice(0, sign).trimEnd()
}

/** Where the bracket that opens at `from` is closed; the end of the text if it is not. */
function closing(text: string, from: number): number {
  const open = text[from]
  const close = open === '(' ? ')' : '}'
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at
  }
  return text.length
}

/** The first place of a sign that stands in no `$(…)`. */
function outside(text: string, sign: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === sign) return at
    if (text[at] === '$' && /[({]/.test(text[at + 1] ?? '')) at = closing(text, at + 1)
  }
  return -1
}

function splitOutside(text: string): string[] {
  const parts: string[] = []
  let rest = text
  for (let comma = outside(rest, ','); comma !== -1; comma = outside(rest, ',')) {
    parts.push(rest.slice(0, comma))
    rest = rest.slice(comma + 1)
    if (parts.length === 50) break
  }
  return [...parts, rest]
}
