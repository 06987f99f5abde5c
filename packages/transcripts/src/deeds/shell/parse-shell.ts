/** A word as it was written, and what it means after quotes are taken away. */
export interface Word {
  readonly text: string
  readonly raw: string
  /** False if a variable, a substitution or an unquoted pattern decides what it means. */
  readonly isFixed: boolean
  readonly start: number
  readonly end: number
}

export interface Redirection {
  readonly operator: string
  readonly target: Word
  readonly fd?: number
  /** The lines of a here-document. */
  readonly body?: string
}

export interface SimpleCommand {
  readonly type: 'simple'
  readonly words: readonly Word[]
  readonly assignments: readonly Word[]
  readonly redirections: readonly Redirection[]
  /** Commands whose output is a part of its words. */
  readonly nested: readonly List[]
}

/** `( … )` and `{ …; }`: its status is that of its list. */
export interface Group {
  readonly type: 'group'
  readonly list: List
  readonly isSubshell: boolean
  readonly redirections: readonly Redirection[]
}

/** A loop, a condition or the definition of a function: what runs in it, and how often, is not known. */
export interface Compound {
  readonly type: 'compound'
  readonly list: List
}

export type Command = SimpleCommand | Group | Compound

export interface Pipeline {
  readonly stages: readonly Command[]
  readonly isNegated: boolean
}

/** Pipelines joined by `&&` and `||`. */
export interface Chain {
  readonly first: Pipeline
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[]
  readonly isBackground: boolean
}

export interface List {
  readonly chains: readonly Chain[]
}

/** Counts the work, so that a test can see that it grows with the text and not faster. */
export interface Meter {
  steps: number
}

const MAX_DEPTH = 40
/** Longer than anybody writes: looking for its end must not cost more than the text is long. */
const MAX_ARITHMETIC = 400
const MAX_LENGTH = 200_000
/** A Windows path shows itself near its beginning; a longer word is not read again at each backslash. */
const MAX_LOOKED_BACK = 300
const NOTHING: List = { chains: [] }
const OPENERS = new Set(['if', 'while', 'until', 'for', 'select', 'case'])
const CLOSERS = new Set(['fi', 'done', 'esac'])
const DIVIDERS = new Set(['then', 'else', 'elif', 'do'])

/** The tree of a command line in the grammar of a POSIX shell. Any text gives a tree, the other shells' too. */
export function parseShell(text: string, meter: Meter = { steps: 0 }): List {
  return new Parser(text.slice(0, MAX_LENGTH), meter, 0).parse()
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

class Parser {
  readonly #text: string
  readonly #meter: Meter
  #at = 0
  #depth: number
  /** Open `(`, `{` and compounds around the current place. */
  readonly #open: ('(' | '{' | 'compound')[] = []
  readonly #heredocs: { redirection: Mutable<Redirection>; strips: boolean }[] = []
  #nested: List[] = []

  constructor(text: string, meter: Meter, depth: number) {
    this.#text = text
    this.#meter = meter
    this.#depth = depth
  }

  parse(): List {
    const chains: Chain[] = []
    while (this.#at < this.#text.length) {
      chains.push(...this.#list().chains)
      // A closing sign that nothing opened.
      if (this.#at < this.#text.length) this.#at++
    }
    return { chains }
  }

  /** Up to the sign or word that closes the innermost group. */
  #list(): List {
    const chains: Chain[] = []
    for (;;) {
      this.#skipSeparators()
      if (this.#at >= this.#text.length || this.#isClosed()) return { chains }
      const before = this.#at
      const chain = this.#chain()
      if (chain) chains.push(chain)
      if (this.#at === before) this.#at++
    }
  }

  #chain(): Chain | undefined {
    const first = this.#pipeline()
    const rest: { operator: '&&' | '||'; pipeline: Pipeline }[] = []
    for (;;) {
      this.#skipBlanks()
      const operator = this.#text.slice(this.#at, this.#at + 2)
      if (operator !== '&&' && operator !== '||') break
      this.#at += 2
      this.#skipNewlines()
      rest.push({ operator, pipeline: this.#pipeline() })
    }
    const isBackground = this.#text[this.#at] === '&'
    if (isBackground) this.#at++
    return first.stages.length === 0 && rest.length === 0
      ? undefined
      : { first, rest, isBackground }
  }

  #pipeline(): Pipeline {
    const stages: Command[] = []
    let isNegated = false
    this.#skipBlanks()
    while (this.#text[this.#at] === '!' && /\s/.test(this.#text[this.#at + 1] ?? '')) {
      isNegated = !isNegated
      this.#at++
      this.#skipBlanks()
    }
    for (;;) {
      const command = this.#command()
      if (command) stages.push(command)
      this.#skipBlanks()
      if (this.#text[this.#at] !== '|' || this.#text[this.#at + 1] === '|') break
      this.#at += this.#text[this.#at + 1] === '&' ? 2 : 1
      this.#skipNewlines()
    }
    return { stages, isNegated }
  }

  #command(): Command | undefined {
    this.#skipBlanks()
    if (this.#skipArithmetic()) return { type: 'compound', list: NOTHING }
    if (this.#text[this.#at] === '(') {
      const list = this.#inside('(', ')')
      return { type: 'group', list, isSubshell: true, redirections: this.#redirections() }
    }
    const word = this.#peekName()
    if (word === '{') {
      const list = this.#inside('{', '}')
      return { type: 'group', list, isSubshell: false, redirections: this.#redirections() }
    }
    return OPENERS.has(word) ? this.#compound(word) : this.#simple()
  }

  /** `((a + 1))` runs nothing; `((a); (b))` is a subshell in another. */
  #skipArithmetic(): boolean {
    if (this.#text[this.#at + 1] !== '(' || this.#text[this.#at] !== '(') return false
    const last = Math.min(this.#text.length, this.#at + MAX_ARITHMETIC)
    let open = 0
    for (let at = this.#at; at < last; at++) {
      this.#meter.steps++
      const sign = this.#text[at]
      if (sign === ';' || sign === '\n') return false
      if (sign === '(') open++
      else if (sign === ')' && --open === 1 && this.#text[at + 1] === ')') {
        this.#at = at + 2
        return true
      }
    }
    return false
  }

  #inside(open: '(' | '{', close: ')' | '}'): List {
    this.#at++
    if (this.#depth >= MAX_DEPTH) return NOTHING
    this.#depth++
    this.#open.push(open)
    const list = this.#list()
    this.#open.pop()
    this.#depth--
    if (this.#text[this.#at] === close) this.#at++
    return list
  }

  #compound(word: string): Compound {
    this.#at += word.length
    // `for x in a b c` and `case $x in` name no command before the next separator.
    if (word === 'for' || word === 'select') this.#skipWords(['do'])
    else if (word === 'case') this.#skipWords(['in'])
    if (this.#depth >= MAX_DEPTH) return { type: 'compound', list: NOTHING }
    this.#depth++
    this.#open.push('compound')
    const list = this.#list()
    this.#open.pop()
    this.#depth--
    if (CLOSERS.has(this.#peekName())) this.#at += this.#peekName().length
    this.#redirections()
    return { type: 'compound', list }
  }

  #skipWords(ends: readonly string[]): void {
    while (this.#at < this.#text.length) {
      this.#skipBlanks()
      const sign = this.#text[this.#at] ?? ''
      if (sign === '\n' || sign === ';') return
      if (isOperator(sign)) this.#at++
      else if (ends.includes(this.#word().raw)) return
    }
  }

  #simple(): Command | undefined {
    const outer = this.#nested
    this.#nested = []
    const words: Word[] = []
    const assignments: Word[] = []
    const redirections: Redirection[] = []
    for (;;) {
      this.#skipBlanks()
      const sign = this.#text[this.#at]
      if (sign === undefined || this.#endsCommand(sign)) break
      const redirection = this.#redirection()
      if (redirection) {
        redirections.push(redirection)
        continue
      }
      if (sign === '(') {
        // `name ( ) { … }` defines a function; elsewhere it is another shell's grammar, or an array.
        const isDefinition =
          words.length === 1 && /^\(\s*\)/.test(this.#text.slice(this.#at, this.#at + 9))
        this.#nested.push(this.#inside('(', ')'))
        if (!isDefinition) continue
        this.#skipNewlines()
        const body = this.#command()
        this.#nested = outer
        return { type: 'compound', list: body ? listOf(body) : NOTHING }
      }
      const word = this.#word()
      if (word.raw === '}' && this.#open.at(-1) === '{') {
        this.#at = word.start
        break
      }
      if (words.length === 0 && /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(word.raw))
        assignments.push(word)
      else words.push(word)
    }
    const nested = this.#nested
    this.#nested = outer
    if (words.length + assignments.length + redirections.length + nested.length === 0)
      return undefined
    return { type: 'simple', words, assignments, redirections, nested }
  }

  #endsCommand(sign: string): boolean {
    if (sign === '&') return this.#text[this.#at + 1] !== '>'
    return sign === '\n' || sign === ';' || sign === '|' || sign === ')'
  }

  #redirections(): Redirection[] {
    const all: Redirection[] = []
    for (;;) {
      this.#skipBlanks()
      const one = this.#redirection()
      if (!one) return all
      all.push(one)
    }
  }

  #redirection(): Redirection | undefined {
    this.#meter.steps++
    const found = /^(\d*)(&>>|&>|<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)/.exec(
      this.#text.slice(this.#at, this.#at + 8),
    )
    if (!found) return undefined
    const [all, fd = '', operator = ''] = found
    // `<(…)` and `>(…)` are words.
    if (fd === '' && /^[<>]$/.test(operator) && this.#text[this.#at + 1] === '(') return undefined
    this.#at += all.length
    this.#skipBlanks()
    const target = this.#word()
    const redirection: Mutable<Redirection> = {
      operator,
      target,
      ...(fd === '' ? {} : { fd: Number(fd) }),
    }
    if (operator === '<<' || operator === '<<-')
      this.#heredocs.push({ redirection, strips: operator === '<<-' })
    return redirection
  }

  #word(): Word {
    const start = this.#at
    let text = ''
    let isFixed = true
    let isPath = false
    for (;;) {
      this.#meter.steps++
      const sign = this.#text[this.#at]
      if (sign === undefined) break
      if (sign === '\\' && text.length <= MAX_LOOKED_BACK)
        isPath ||= /^([A-Za-z]:|\.{1,2}$)/.test(text) || text.includes('\\')
      if (sign === "'") text += this.#quoted()
      else if (sign === '"') {
        const { value, isKnown } = this.#doubleQuoted()
        text += value
        isFixed &&= isKnown
      } else if (sign === '\\') text += this.#escaped(isPath)
      else if (sign === '$' || sign === '`') {
        const { value, isKnown } = this.#expansion()
        text += value
        isFixed &&= isKnown
      } else if (
        (sign === '<' || sign === '>') &&
        this.#text[this.#at + 1] === '(' &&
        start === this.#at
      ) {
        this.#at++
        this.#nested.push(this.#inside('(', ')'))
        isFixed = false
      } else if (isOperator(sign) || isBlank(sign) || sign === '\n') break
      else {
        if (sign === '*' || sign === '?' || sign === '[') isFixed = false
        text += sign
        this.#at++
      }
    }
    if (this.#at === start) this.#at++
    return { text, raw: this.#text.slice(start, this.#at), isFixed, start, end: this.#at }
  }

  #quoted(): string {
    const end = this.#text.indexOf("'", this.#at + 1)
    const value = this.#text.slice(this.#at + 1, end === -1 ? undefined : end)
    this.#meter.steps += value.length
    this.#at = end === -1 ? this.#text.length : end + 1
    return value
  }

  #doubleQuoted(): { value: string; isKnown: boolean } {
    let value = ''
    let isKnown = true
    this.#at++
    for (;;) {
      this.#meter.steps++
      const sign = this.#text[this.#at]
      if (sign === undefined) break
      if (sign === '"') {
        this.#at++
        break
      }
      if (sign === '\\') {
        const next = this.#text[this.#at + 1] ?? ''
        value += next === '\n' ? '' : '$`"\\'.includes(next) ? next : `\\${next}`
        this.#at += 2
      } else if (sign === '$' || sign === '`') {
        const found = this.#expansion()
        value += found.value
        isKnown &&= found.isKnown
      } else {
        value += sign
        this.#at++
      }
    }
    return { value, isKnown }
  }

  /** Outside quotes. A Windows path keeps its backslashes. */
  #escaped(isPath: boolean): string {
    const next = this.#text[this.#at + 1] ?? ''
    this.#at += 2
    if (next === '\n') return ''
    return isPath ? `\\${next}` : next
  }

  /** `$x`, `${x}`, `$(…)`, `$((…))`, `` `…` ``. The value is as written; a substitution's is only a here-document that it prints. */
  #expansion(): { value: string; isKnown: boolean } {
    const start = this.#at
    const next = this.#text[this.#at + 1]
    if (this.#text[this.#at] === '`') {
      const end = this.#text.indexOf('`', this.#at + 1)
      this.#meter.steps += (end === -1 ? this.#text.length : end) - this.#at
      if (end === -1 || this.#depth >= MAX_DEPTH) {
        this.#at++
        return { value: '`', isKnown: false }
      }
      const inside = new Parser(this.#text.slice(start + 1, end), this.#meter, MAX_DEPTH)
      this.#nested.push(inside.parse())
      this.#at = end + 1
    } else if (next === '(') {
      this.#at++
      if (this.#skipArithmetic())
        return { value: this.#text.slice(start, this.#at), isKnown: false }
      const outer = this.#nested
      this.#nested = []
      const list = this.#inside('(', ')')
      this.#nested = outer
      this.#nested.push(list)
      const printed = printedText(list)
      if (printed !== undefined) return { value: printed, isKnown: true }
    } else if (next === '{') {
      let open = 0
      for (; this.#at < this.#text.length; this.#at++) {
        this.#meter.steps++
        if (this.#text[this.#at] === '{') open++
        else if (this.#text[this.#at] === '}' && --open === 0) break
      }
      this.#at = Math.min(this.#at + 1, this.#text.length)
    } else if (next === "'") {
      this.#at++
      return { value: this.#quoted(), isKnown: true }
    } else {
      this.#at++
      const [name = ''] = /^(?:\w+|[?#@*!$-])/.exec(this.#text.slice(this.#at, this.#at + 64)) ?? []
      this.#at += name.length
      if (name === '') return { value: '$', isKnown: true }
    }
    return { value: this.#text.slice(start, this.#at), isKnown: false }
  }

  #skipBlanks(): void {
    for (;;) {
      this.#meter.steps++
      const sign = this.#text[this.#at]
      if (sign === undefined) return
      if (isBlank(sign)) this.#at++
      else if (sign === '\\' && /^\\\r?\n/.test(this.#text.slice(this.#at, this.#at + 3)))
        this.#at += this.#text[this.#at + 1] === '\r' ? 3 : 2
      else if (
        sign === '#' &&
        (this.#at === 0 || /[\s;&|(]/.test(this.#text[this.#at - 1] ?? ''))
      ) {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end === -1 ? this.#text.length : end
      } else return
    }
  }

  #skipNewlines(): void {
    for (;;) {
      this.#skipBlanks()
      if (this.#text[this.#at] !== '\n') return
      this.#newline()
    }
  }

  /** Between commands: `;`, newlines, and the words that only divide a compound. */
  #skipSeparators(): void {
    for (;;) {
      this.#skipNewlines()
      const sign = this.#text[this.#at]
      if (sign === ';' || sign === '&' || sign === '|') this.#at++
      else if (DIVIDERS.has(this.#peekName()) && this.#open.includes('compound'))
        this.#at += this.#peekName().length
      else return
    }
  }

  #newline(): void {
    this.#at++
    for (const { redirection, strips } of this.#heredocs.splice(0)) {
      const lines: string[] = []
      while (this.#at < this.#text.length) {
        const end = this.#text.indexOf('\n', this.#at)
        const line = this.#text.slice(this.#at, end === -1 ? undefined : end).replace(/\r$/, '')
        this.#meter.steps += line.length + 1
        this.#at = end === -1 ? this.#text.length : end + 1
        // Some agents indent the end mark although only `<<-` allows it.
        if (line.trim() === redirection.target.text) break
        lines.push(strips ? line.replace(/^\t+/, '') : line)
      }
      redirection.body = lines.join('\n')
    }
  }

  #isClosed(): boolean {
    const sign = this.#text[this.#at]
    if (sign === ')') return this.#open.at(-1) !== 'compound' || !this.#isPattern()
    if (sign === '}') return this.#open.at(-1) === '{' && this.#peekName() === '}'
    return this.#open.at(-1) === 'compound' && CLOSERS.has(this.#peekName())
  }

  /** In `case`, the `)` behind a pattern opens what is run for it. */
  #isPattern(): boolean {
    this.#at++
    this.#skipSeparators()
    return this.#at < this.#text.length && this.#text[this.#at] !== ')'
  }

  #peekName(): string {
    this.#meter.steps++
    return (
      /^[^\s;&|()<>'"$`\\]{1,9}(?=[\s;&|()<>]|$)/.exec(
        this.#text.slice(this.#at, this.#at + 10),
      )?.[0] ?? ''
    )
  }
}

function listOf(command: Command): List {
  return {
    chains: [{ first: { stages: [command], isNegated: false }, rest: [], isBackground: false }],
  }
}

/** `$(cat <<'EOF' … EOF)` stands for the lines of the here-document. */
function printedText({ chains }: List): string | undefined {
  const [command] = chains[0]?.first.stages ?? []
  if (chains.length !== 1 || command?.type !== 'simple') return undefined
  const { words, redirections } = command
  if (words[0]?.text === 'cat' && words.length === 1)
    return redirections.find(({ body }) => body !== undefined)?.body
  return undefined
}

function isBlank(sign: string): boolean {
  return sign === ' ' || sign === '\t' || sign === '\r'
}

function isOperator(sign: string): boolean {
  return '|&;()<>'.includes(sign)
}
