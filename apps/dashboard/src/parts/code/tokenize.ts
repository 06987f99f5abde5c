export interface Token {
  readonly text: string
  readonly kind?: 'word' | 'text' | 'number' | 'comment'
}

/** How a text is written between two marks. */
interface Quote {
  readonly open: string
  readonly close: string
  /** Its text may go on over several lines. */
  readonly isLong?: boolean
  /** A backslash stands for itself. */
  readonly isRaw?: boolean
  /** Code may stand in it: `${…}`, `$(…)`. */
  readonly hole?: readonly [open: string, inner: string, close: string]
}

interface Grammar {
  readonly words: ReadonlySet<string>
  readonly quotes: readonly Quote[]
  readonly line?: readonly string[]
  readonly block?: readonly [string, string]
  /** A comment within a comment has an end of its own. */
  readonly nests?: boolean
  /** Words are the same in capitals. */
  readonly anyCase?: boolean
  /** Markup may stand in it. */
  readonly tags?: boolean
  /** `/…/` is a pattern where a value is expected. */
  readonly patterns?: boolean
  /** No comment begins behind these: `$#`, `https://`. */
  readonly noCommentAfter?: RegExp
  /** No text begins behind these: `it's`. */
  readonly noTextAfter?: RegExp
  /** `'a` may be the name of a lifetime. */
  readonly lifetimes?: boolean
}

const words = (list: string) => new Set(list.split(' '))
const SCRIPT = words(
  'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function if implements import in instanceof interface keyof let namespace new null of override private protected public readonly return satisfies static super switch this throw true try type typeof undefined var void while yield',
)
const PYTHON = words(
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
)
const GO = words(
  'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var',
)
const RUST = words(
  'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
)
const JAVA = words(
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import instanceof int interface internal long namespace new null override package private protected public record return sealed short static string struct super switch synchronized this throw throws true try using var virtual void volatile while yield auto bool delete include template typename unsigned nullptr fun val when object data',
)
const SHELL = words(
  'if then else elif fi for in do done while until case esac function return local export set unset exit echo cd source',
)
const SQL = words(
  'select from where and or not null insert into values update set delete create table index primary key references join left inner outer on group by order limit offset as distinct union all exists case when then else end with begin commit',
)
const DATA = words('true false null yes no on off')
const RUBY = words(
  'alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require puts',
)

const DOUBLE = { open: '"', close: '"' }
const SINGLE = { open: "'", close: "'" }
const BACKTICK = { open: '`', close: '`', isLong: true }
const TEMPLATE: Quote = { ...BACKTICK, hole: ['${', '{', '}'] }
const TRIPLE_DOUBLE = { open: '"""', close: '"""', isLong: true }
const TRIPLE_SINGLE = { open: "'''", close: "'''", isLong: true }
const LONG_DOUBLE = { ...DOUBLE, isLong: true }
const LONG_SINGLE = { ...SINGLE, isLong: true }

const C_LIKE = { line: ['//'], block: ['/*', '*/'] as const }
const JAVASCRIPT = {
  ...C_LIKE,
  quotes: [DOUBLE, SINGLE, TEMPLATE],
  patterns: true,
  words: SCRIPT,
}
const HASHED = { line: ['#'], noCommentAfter: /[\w$\\{&:/=.-]/ }
const PROSE_AROUND = { ...HASHED, noTextAfter: /[\w\\]/ }
const grammars: readonly [names: string, grammar: Grammar][] = [
  ['tsx jsx js typescriptreact javascriptreact vue svelte', { ...JAVASCRIPT, tags: true }],
  ['ts mts cts mjs cjs typescript javascript', JAVASCRIPT],
  [
    'py python',
    { line: ['#'], quotes: [TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE], words: PYTHON },
  ],
  ['go golang', { ...C_LIKE, quotes: [DOUBLE, SINGLE, { ...BACKTICK, isRaw: true }], words: GO }],
  [
    'rs rust',
    {
      ...C_LIKE,
      nests: true,
      lifetimes: true,
      quotes: [
        { open: 'r##"', close: '"##', isLong: true, isRaw: true },
        { open: 'r#"', close: '"#', isLong: true, isRaw: true },
        { open: 'r"', close: '"', isLong: true, isRaw: true },
        LONG_DOUBLE,
        SINGLE,
      ],
      words: RUST,
    },
  ],
  [
    'java c h cpp cc cxx hpp dart',
    { ...C_LIKE, quotes: [TRIPLE_DOUBLE, DOUBLE, SINGLE], words: JAVA },
  ],
  [
    'kt kotlin scala swift',
    { ...C_LIKE, nests: true, quotes: [TRIPLE_DOUBLE, DOUBLE, SINGLE], words: JAVA },
  ],
  [
    'cs csharp',
    {
      ...C_LIKE,
      quotes: [
        TRIPLE_DOUBLE,
        { open: '@"', close: '"', isLong: true, isRaw: true },
        { open: '$@"', close: '"', isLong: true, isRaw: true },
        DOUBLE,
        SINGLE,
      ],
      words: JAVA,
    },
  ],
  ['php', { ...C_LIKE, line: ['//', '#'], quotes: [LONG_DOUBLE, LONG_SINGLE], words: JAVA }],
  [
    'sh bash zsh shell console',
    {
      ...HASHED,
      noTextAfter: /\\/,
      quotes: [
        { ...LONG_DOUBLE, hole: ['$(', '(', ')'] },
        { ...LONG_SINGLE, isRaw: true },
      ],
      words: SHELL,
    },
  ],
  ['dockerfile makefile', { ...PROSE_AROUND, quotes: [DOUBLE, SINGLE], words: SHELL }],
  [
    'sql',
    {
      line: ['--'],
      block: C_LIKE.block,
      quotes: [{ ...LONG_SINGLE, isRaw: true }, DOUBLE],
      words: SQL,
      anyCase: true,
    },
  ],
  ['json', { quotes: [DOUBLE], words: DATA }],
  ['jsonc json5', { ...C_LIKE, quotes: [DOUBLE, SINGLE], words: DATA }],
  ['css', { block: C_LIKE.block, quotes: [DOUBLE, SINGLE], words: DATA }],
  ['scss less', { ...C_LIKE, noCommentAfter: /:/, quotes: [DOUBLE, SINGLE], words: DATA }],
  [
    'toml',
    { ...PROSE_AROUND, quotes: [TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE], words: DATA },
  ],
  ['yaml yml ini', { ...PROSE_AROUND, quotes: [DOUBLE, SINGLE], words: DATA }],
  ['rb ruby', { ...HASHED, quotes: [LONG_DOUBLE, LONG_SINGLE], words: RUBY }],
]
const byName = new Map(
  grammars.flatMap(([names, grammar]) => names.split(' ').map((name) => [name, grammar] as const)),
)

const MAX_LENGTH = 400_000
/** Templates within templates. */
const MAX_DEPTH = 20

/** Lines of tokens. It knows comments, texts, numbers and the words of a language: enough to read by. */
export function tokenize(source: string, language: string): Token[][] {
  const grammar = source.length > MAX_LENGTH ? undefined : byName.get(language.toLowerCase())
  const stretches = grammar ? readStretches(source, grammar) : [{ to: source.length }]
  const lines: Token[][] = [[]]
  const push = (text: string, kind?: Kind) => {
    const [first = '', ...rest] = text.split('\n')
    if (first) lines.at(-1)?.push({ text: first, kind })
    for (const line of rest) lines.push(line ? [{ text: line, kind }] : [])
  }
  let at = 0
  for (const { to, kind } of stretches) {
    const text = source.slice(at, to)
    if (kind || !grammar) push(text, kind === 'prose' ? undefined : kind)
    else for (const token of readWords(text, grammar)) push(token.text, token.kind)
    at = to
  }
  return lines
}

type Kind = NonNullable<Token['kind']>

interface Stretch {
  readonly to: number
  /** Prose is shown plainly: its words are not those of the language. */
  readonly kind?: 'comment' | 'text' | 'prose'
}

/** Words and numbers of code that holds neither comments nor texts. */
function readWords(code: string, { words, anyCase }: Grammar): Token[] {
  const tokens: Token[] = []
  let plain = ''
  const flush = () => {
    if (plain) tokens.push({ text: plain })
    plain = ''
  }
  for (const [part] of code.matchAll(/[A-Za-z_$][\w$]*|\d[\w.]*|[^\w$]+/g)) {
    const isWord = words.has(anyCase ? part.toLowerCase() : part)
    if (!isWord && !/^\d/.test(part)) {
      plain += part
      continue
    }
    flush()
    tokens.push({ text: part, kind: isWord ? 'word' : 'number' })
  }
  flush()
  return tokens
}

/** Code, comments and texts in turn. A piece of a file may begin inside a comment or a long text: then it ends what it never began. */
function readStretches(source: string, grammar: Grammar): Stretch[] {
  const { block } = grammar
  if (block && /^\*(?:[ /]|$)/.test(firstLine(source).trim())) {
    const close = source.indexOf(block[1])
    const open = source.indexOf(block[0])
    if (close >= 0 && (open < 0 || close < open))
      return read(source, grammar, { to: close + block[1].length, kind: 'comment' })
  }
  return read(source, grammar)
}

function firstLine(source: string): string {
  return orEnd(source.indexOf('\n'), source) > 200 ? '' : (source.split('\n', 1)[0] ?? '')
}

function read(source: string, grammar: Grammar, begun?: Stretch): Stretch[] {
  const found: Stretch[] = begun ? [begun] : []
  let at = begun?.to ?? 0
  let codeFrom = at
  /** Up to where a mark is known to stand alone: it is not looked for again and again. */
  const alone = new Map<string, number>()
  while (at < source.length) {
    const next = nextStretch(source, at, grammar, alone)
    if (next === 'unopened' && !begun && grammar.block)
      return read(source, grammar, { to: at + grammar.block[1].length, kind: 'comment' })
    if (next === undefined || next === 'unopened') {
      at++
      continue
    }
    const { to, kind, isOpen } = next
    // The end of a text that began before this piece was taken for the beginning of one.
    if (isOpen && kind === 'text' && !begun && source.startsWith('"""', at))
      return read(source, grammar, { to: source.indexOf('"""') + 3, kind: 'text' })
    if (kind) {
      if (at > codeFrom) found.push({ to: at })
      found.push({ to, kind })
      codeFrom = to
    }
    at = to
  }
  if (codeFrom < source.length) found.push({ to: source.length })
  return found
}

/** `isOpen` if the source ends before it does. Without a kind it is code that holds nothing else. */
interface Found extends Stretch {
  readonly isOpen?: boolean
}

function nextStretch(
  source: string,
  at: number,
  grammar: Grammar,
  alone: Map<string, number>,
  depth = 0,
): Found | 'unopened' | undefined {
  const { line = [], block, patterns, lifetimes } = grammar
  const before = source[at - 1] ?? '\n'
  const starts = (mark: string) => source.startsWith(mark, at)
  if (!grammar.noCommentAfter?.test(before) && line.some(starts))
    return { to: orEnd(source.indexOf('\n', at), source), kind: 'comment' }
  if (block && starts(block[0])) return commentFrom(source, at, grammar, block)
  if (block && starts(block[1])) return 'unopened'
  if (lifetimes && source[at] === "'" && /^'\w+(?!')/.test(source.slice(at, at + 40)))
    return { to: at + 1 }
  const quote = grammar.quotes.find(({ open }) => starts(open))
  if (quote && !grammar.noTextAfter?.test(before) && at >= (alone.get(quote.open) ?? 0))
    return textFrom(source, at, quote, grammar, alone, depth)
  if (patterns && source[at] === '/') return patternFrom(source, at)
  return proseFrom(source, at, grammar) ?? wordFrom(source, at)
}

/** A word in full: the `r` of `for"` begins no text. */
function wordFrom(source: string, at: number): Found | undefined {
  WORD.lastIndex = at
  return WORD.test(source) ? { to: WORD.lastIndex } : undefined
}
const WORD = /[\w$]+/y

function commentFrom(
  source: string,
  at: number,
  { nests }: Grammar,
  [open, close]: readonly [string, string],
): Found {
  let depth = 1
  let to = at + open.length
  while (depth > 0) {
    const end = source.indexOf(close, to)
    if (end === -1) return { to: source.length, kind: 'comment', isOpen: true }
    const inner = nests ? source.slice(to, end).split(open).length - 1 : 0
    depth += inner - 1
    to = end + close.length
  }
  return { to, kind: 'comment' }
}

function textFrom(
  source: string,
  at: number,
  { open, close, isLong, isRaw, hole }: Quote,
  grammar: Grammar,
  alone: Map<string, number>,
  depth: number,
): Found {
  const holeOpen = depth < MAX_DEPTH ? hole?.[0] : undefined
  let to = at + open.length
  while (to < source.length) {
    if (source.startsWith(close, to)) return { to: to + close.length, kind: 'text' }
    if (source[to] === '\\' && !isRaw) to += 2
    else if (hole && holeOpen && source.startsWith(holeOpen, to))
      to = holeEnd(source, to + holeOpen.length, hole, grammar, alone, depth + 1)
    else if (source[to] === '\n' && !isLong) break
    else to++
  }
  if (isLong) return { to: source.length, kind: 'text', isOpen: true }
  // A mark that is never closed on its line was an apostrophe.
  alone.set(open, to)
  return { to: at + open.length, kind: 'text' }
}

/** Behind what closes a hole in a text: what stands in it is code, with texts and brackets of its own. */
function holeEnd(
  source: string,
  from: number,
  [, inner, close]: readonly [string, string, string],
  grammar: Grammar,
  alone: Map<string, number>,
  holes: number,
): number {
  let at = from
  for (let depth = 1; at < source.length; ) {
    const found = /[`'"/]/.test(source[at] ?? '') && nextStretch(source, at, grammar, alone, holes)
    if (found && found !== 'unopened') {
      at = found.to
      continue
    }
    if (source[at] === inner) depth++
    if (source[at] === close && --depth === 0) return at + 1
    at++
  }
  return at
}

/** A pattern stands where a value is expected: not behind a name, a number or a closing bracket. */
function patternFrom(source: string, at: number): Found | undefined {
  const before = source.slice(Math.max(0, at - 60), at)
  const code = before.trimEnd()
  const lastWord = code.split(/[^\w$]/).at(-1) ?? ''
  const isValue = /[\w$)\]}"'`]$/.test(code) && !BEFORE_VALUE.has(lastWord)
  if (isValue || before.endsWith('<')) return undefined
  PATTERN.lastIndex = at
  const pattern = PATTERN.exec(source)?.[0]
  return pattern === undefined ? undefined : { to: at + pattern.length, kind: 'text' }
}
const BEFORE_VALUE = new Set(
  'return typeof case in of do else void delete await yield default'.split(' '),
)
const PATTERN = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** In a view, what stands between two tags is prose. */
function proseFrom(source: string, at: number, { tags }: Grammar): Found | undefined {
  PROSE.lastIndex = at
  return tags && source[at - 1] === '>' && PROSE.test(source)
    ? { to: PROSE.lastIndex, kind: 'prose' }
    : undefined
}
const PROSE = /(?<=[\w"'}/\]]>)(?!\s*[(),.|&?:[\]])[^<>{}=;]+(?=[<{])/y

function orEnd(found: number, source: string): number {
  return found === -1 ? source.length : found
}
