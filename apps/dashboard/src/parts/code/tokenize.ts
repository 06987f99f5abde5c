export interface Token {
  readonly text: string
  readonly kind?: 'word' | 'text' | 'number' | 'comment'
}

interface Grammar {
  readonly line?: string
  readonly block?: readonly [string, string]
  readonly quotes: string
  /** Markup may stand in it. */
  readonly tags?: boolean
  readonly words: ReadonlySet<string>
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

const C_LIKE = { line: '//', block: ['/*', '*/'] as const, quotes: '"\'`' }
const grammars: readonly [names: string, grammar: Grammar][] = [
  [
    'tsx jsx js typescriptreact javascriptreact vue svelte',
    { ...C_LIKE, words: SCRIPT, tags: true },
  ],
  ['ts mts cts mjs cjs typescript javascript', { ...C_LIKE, words: SCRIPT }],
  ['py python', { line: '#', quotes: '"\'', words: PYTHON }],
  ['go golang', { ...C_LIKE, words: GO }],
  ['rs rust', { ...C_LIKE, quotes: '"', words: RUST }],
  ['java kt kotlin c h cpp cc cxx hpp cs csharp scala swift php dart', { ...C_LIKE, words: JAVA }],
  ['sh bash zsh shell console dockerfile makefile', { line: '#', quotes: '"\'', words: SHELL }],
  ['sql', { line: '--', block: ['/*', '*/'], quotes: '\'"', words: SQL }],
  ['json jsonc json5 css scss less', { ...C_LIKE, quotes: '"\'', words: DATA }],
  ['yaml yml toml ini', { line: '#', quotes: '"\'', words: DATA }],
  ['rb ruby', { line: '#', quotes: '"\'', words: RUBY }],
]
const byName = new Map(
  grammars.flatMap(([names, grammar]) => names.split(' ').map((name) => [name, grammar] as const)),
)

const LONGEST = 400_000

/** Lines of tokens. It knows comments, texts, numbers and words that a language keeps: enough to read by. */
export function tokenize(source: string, language: string): Token[][] {
  const grammar = source.length > LONGEST ? undefined : byName.get(language.toLowerCase())
  if (!grammar) return source.split('\n').map((text) => [{ text }])
  const lines: Token[][] = [[]]
  const push = (text: string, kind?: Token['kind']) => {
    const [first = '', ...rest] = text.split('\n')
    if (first) lines.at(-1)?.push({ text: first, kind })
    for (const line of rest) lines.push(line ? [{ text: line, kind }] : [])
  }
  const sensitive = grammar.words !== SQL
  const unclosed = new Map<string, number>()
  const begun = begunBefore(source, grammar)
  if (begun) push(source.slice(0, begun.to), begun.kind)
  let plain = ''
  const flush = () => {
    push(plain)
    plain = ''
  }
  for (let at = begun?.to ?? 0; at < source.length; ) {
    const end = special(source, at, grammar, unclosed) ?? wordsBetweenTags(source, at, grammar)
    if (end) {
      flush()
      push(source.slice(at, end.to), end.kind)
      at = end.to
      continue
    }
    const word = /^[A-Za-z_$][\w$]*|^\d[\w.]*/.exec(source.slice(at, at + 200))?.[0]
    if (word === undefined) {
      plain += source[at]
      at++
      continue
    }
    const known = grammar.words.has(sensitive ? word : word.toLowerCase())
    if (known || /^\d/.test(word)) {
      flush()
      push(word, known ? 'word' : 'number')
    } else plain += word
    at += word.length
  }
  flush()
  return lines
}

interface Stretch {
  readonly to: number
  readonly kind?: 'comment' | 'text'
}

/** A piece of a file may begin inside a comment or a long text: then it ends what it never began. */
function begunBefore(source: string, { block, words }: Grammar): Stretch | undefined {
  const close = block ? source.indexOf(block[1]) : -1
  if (block && close >= 0 && !source.slice(0, close).includes(block[0]))
    return { to: close + block[1].length, kind: 'comment' }
  if (words !== PYTHON) return undefined
  const quotes = source.split('"""')
  return quotes.length % 2 === 0 ? { to: (quotes[0] ?? '').length + 3, kind: 'text' } : undefined
}

const BETWEEN_TAGS = /(?<=[\w"'}/\]]>)[^<>{}=;]+(?=[<{])/y

/** In a view, what stands between two tags is prose. */
function wordsBetweenTags(source: string, at: number, { tags }: Grammar): Stretch | undefined {
  BETWEEN_TAGS.lastIndex = at
  return tags && source[at - 1] === '>' && BETWEEN_TAGS.test(source)
    ? { to: BETWEEN_TAGS.lastIndex }
    : undefined
}

function special(
  source: string,
  at: number,
  { line, block, quotes }: Grammar,
  /** Up to where a mark is known to stand alone: it is not looked for again and again. */
  unclosed: Map<string, number>,
): Stretch | undefined {
  if (line && source.startsWith(line, at))
    return { to: orEnd(source.indexOf('\n', at), source), kind: 'comment' }
  if (block && source.startsWith(block[0], at)) {
    const close = source.indexOf(block[1], at + block[0].length)
    return { to: close === -1 ? source.length : close + block[1].length, kind: 'comment' }
  }
  const quote = source[at] ?? ''
  if (!quotes.includes(quote) || at < (unclosed.get(quote) ?? 0)) return undefined
  const wide = source.startsWith(quote.repeat(3), at) ? quote.repeat(3) : undefined
  if (wide) {
    const close = source.indexOf(wide, at + 3)
    return { to: close === -1 ? source.length : close + 3, kind: 'text' }
  }
  let to = at + 1
  for (; to < source.length; to++) {
    if (source[to] === '\\') to++
    else if (source[to] === quote) return { to: to + 1, kind: 'text' }
    // A quotation mark that is never closed on its line was an apostrophe.
    else if (source[to] === '\n' && quote !== '`') break
  }
  unclosed.set(quote, to)
  return { to: at + 1, kind: 'text' }
}

function orEnd(found: number, source: string): number {
  return found === -1 ? source.length : found
}
