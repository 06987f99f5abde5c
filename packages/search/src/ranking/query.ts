import { languagesOf, ownStems } from '../languages/foreign-words.ts'
import { type Sense, sensesOf, type Translation } from '../languages/translate.ts'
import { STOP_WORDS, stem } from '../text/english.ts'
import { identifiersIn, indexTerms, splitIdentifier, wholeTerm } from '../text/index-terms.ts'
import { type Message, messageIn } from './pasted-text.ts'

const LONG = 240
const MAX_TITLE = 200
const FENCE = /(?<![`~])(```|~~~)[^\n]{0,200}\n([\s\S]*?)(?:\n[ \t]{0,20}\1|$)/g
/** Lines that a prompt, a trace or an indented block begins with. */
const CODE_LINE = /^(?: {4,}|\t|>>> |\.\.\. |\$ |In \[\d|Out\[\d|Traceback |\s+at |\s+File ")/
/** From here on only versions of the machine and its packages follow. */
const MACHINE =
  /^\W*(?:installed versions|versions?|environment|system info|output of .*(?:pip|version)|pip list|platform|os\b.*version)\W*$/i
/** Headings of forms: they say nothing about this question. */
const FORM =
  /^\W{0,40}(?:(?:steps|code|how) to reproduce|expected (?:behaviou?r|results?|output)|actual (?:behaviou?r|results?|output)|current behaviou?r|describe the (?:bug|issue)|bug description|description|summary|configuration|command used|pylint output|what happened|what did you expect to happen|minimal complete verifiable example|mvce confirmation|relevant log output|anything else we need to know|additional (?:context|dependencies)|is your feature request related to a problem|- \[[ x]\].{0,400})\W{0,40}$/i

/** A question, read once. */
export interface Query {
  readonly text: string
  /** What it is about, in few words: all of a short question. */
  readonly gist: string
  /** The same in English, where the question is asked in another language. */
  readonly englishGist: string
  /** Distinct terms without stop words, unless there is nothing else, each with what its place in the question is worth. */
  readonly terms: ReadonlyMap<string, number>
  /** Those of the terms that have been translated as well. */
  readonly translatedTerms: ReadonlySet<string>
  /** Of a question in another language, what each of its words may mean; empty where it is English. */
  readonly senses: readonly Sense[]
  /** What the words of a message in another language mean, to find where it is said; empty where it asks something. */
  readonly messageSenses: readonly Sense[]
  /** Lower-case words in order, stop words included. */
  readonly words: readonly string[]
  /** The same without stop words. */
  readonly tellingWords: readonly string[]
  /** Neighbouring words as one: people write `thread pool`, code says `threadpool`. */
  readonly compounds: readonly string[]
  /** Names asked for, as whole terms: the query itself when it is one, and what is spelled like code in prose. */
  readonly names: readonly string[]
  /** The identifiers as they are written. */
  readonly identifiers: ReadonlySet<string>
  /** The query is a name and nothing else. */
  readonly isSymbol: boolean
  /** An issue, a request or a plan: it speaks of tests and documents without asking for them. */
  readonly isLong: boolean
  /** It asks how something works, not for a thing by its name. */
  readonly asksHow: boolean
  /** Its words in order, to find where it stands word for word. */
  readonly message: Message
  /** Files that it names, as a stack trace does. */
  readonly traced: readonly TracedPath[]
}

const CODE_LIKE = /[a-z0-9][A-Z]|_|^[A-Z]{2,}[a-z]/
const ASKS_HOW = /^(?:how|where|what|which|why|when)\b/i
const MAX_NAMES = 16
export const MAX_TERMS = 24
/** What a term is worth by where it stands; the best of its places counts. */
const WORTH = { title: 3, span: 2, prose: 1, block: 0.4 } as const

export function readQuery(text: string): Query {
  const parts = questionParts(text)
  const { title, prose, spans, blocks } = parts
  const identifiers = identifiersIn(title)
  const words = identifiers.flatMap(splitIdentifier)
  const isSymbol = /^[^\s]+$/.test(text.trim())
  const named = [...namesIn(title, identifiers, isSymbol), ...namesBelow(parts)].slice(0, MAX_NAMES)
  const names = [...new Set(named)]
  const nameWords = spans.flatMap(identifiersIn).flatMap(splitIdentifier)
  const gist = [title, ...spans.slice(0, 4)].join(' ')
  const terms = termsOf([
    [title, WORTH.title],
    [spans.join(' '), WORTH.span],
    [prose, WORTH.prose],
    [blocks.join('\n'), WORTH.block],
  ])
  return {
    text,
    gist,
    englishGist: gist,
    translatedTerms: new Set(),
    senses: languagesOf(title).length > 0 ? sensesOf([], terms) : [],
    messageSenses: [],
    terms,
    words,
    tellingWords: [...new Set([...words, ...nameWords])].filter(
      (word) => !STOP_WORDS.has(stem(word)),
    ),
    compounds: compoundsOf(words),
    names,
    identifiers: new Set([
      ...identifiers,
      ...spans.flatMap(identifiersIn),
      ...identifiersIn(prose),
    ]),
    isSymbol,
    isLong: prose !== '' || blocks.length > 0,
    asksHow: ASKS_HOW.test(title) && prose === '' && blocks.length === 0,
    message: messageIn(title),
    traced: tracedPaths(text),
  }
}

/** A question in another language: its own words for what is written in it, the English ones for the code. */
export function readTranslated(text: string, translation: Translation): Query {
  const own = readQuery(text)
  const english = readQuery(translation.text)
  const small = new Set(translation.smallWords.flatMap(indexTerms))
  const kept = [...own.terms].filter(([term]) => !small.has(term))
  const terms = new Map([...kept, ...english.terms])
  for (const term of translation.alternatives.flatMap(indexTerms))
    if (!terms.has(term) && !STOP_WORDS.has(term)) terms.set(term, WORTH.prose)
  const senses = sensesOf(translation.meanings, english.terms)
  return {
    ...english,
    text,
    gist: own.gist,
    terms,
    senses,
    messageSenses: translation.asks ? [] : senses,
    translatedTerms: new Set(kept.map(([term]) => term).filter((term) => !english.terms.has(term))),
    names: [...new Set([...english.names, ...own.names])],
    identifiers: new Set([...english.identifiers, ...own.identifiers]),
    isSymbol: false,
    isLong: own.isLong,
    traced: own.traced,
  }
}

/** The terms that say most of what it is about, as they come. */
function mainTerms({ terms }: Query): string[] {
  return [...terms]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_TERMS)
    .map(([term]) => term)
}

/** What a note is looked for by: the main terms, and the stems of the language that the question is asked in. */
export function noteQueryTerms(query: Query): string[] {
  return [...mainTerms(query), ...ownStems(query.text)]
}

function termsOf(places: readonly (readonly [string, number])[]): Map<string, number> {
  const worth = new Map<string, number>()
  for (const [text, value] of places)
    for (const term of indexTerms(text)) worth.set(term, Math.max(worth.get(term) ?? 0, value))
  const telling = [...worth].filter(([term]) => !STOP_WORDS.has(term))
  return new Map(telling.length > 0 ? telling : worth)
}

/** Names in what follows the title: what is set as code, and what is spelled like it. */
function namesBelow({ prose, spans }: QuestionParts): string[] {
  const fromSpans = spans.flatMap((span) => namesIn(span, identifiersIn(span), !/\s/.test(span)))
  return [...fromSpans, ...namesIn(prose, identifiersIn(prose), false)]
}

function namesIn(text: string, identifiers: readonly string[], isSymbol: boolean): string[] {
  // Of `Sinatra::Base` or `session.send()` the last part is the name; the others only say where.
  const last = identifiers.at(-1)
  if (isSymbol) return last ? [wholeTerm(last)] : []
  const qualified =
    text.match(/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+(?:(?:::|\.|#|->)[\p{L}\p{N}_$]+)+/gu) ?? []
  const lastParts = qualified.map((name) => wholeTerm(identifiersIn(name).at(-1) ?? ''))
  return [
    ...new Set([
      ...identifiers.filter((identifier) => CODE_LIKE.test(identifier)).map(wholeTerm),
      ...lastParts,
    ]),
  ].filter((name) => name.length > 1)
}

function compoundsOf(words: readonly string[]): string[] {
  const found = new Set<string>()
  for (let at = 0; at + 1 < words.length; at++) {
    found.add(`${words[at]}${words[at + 1]}`)
    // The first word loses its plural in a name: `event hooks` is `eventHook` as often as not.
    found.add(`${words[at]}${words[at + 1]?.replace(/s$/, '')}`)
    if (at + 2 < words.length) found.add(`${words[at]}${words[at + 1]}${words[at + 2]}`)
  }
  return [...found]
}

/** What a question is made of, by how much each part tells. */
interface QuestionParts {
  /** What it is about: all of a short question, the first line of a long one. */
  readonly title: string
  /** The rest of the prose, without what forms and tools put there. */
  readonly prose: string
  /** What stands between backticks in prose. */
  readonly spans: readonly string[]
  /** Blocks of code, logs and traces. */
  readonly blocks: readonly string[]
}

export function questionParts(text: string): QuestionParts {
  const whole = text.trim()
  if (whole.length <= LONG && !whole.includes('\n'))
    return { title: whole, prose: '', spans: [], blocks: [] }
  const blocks: string[] = []
  const withoutBlocks = whole
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, '')
    .replace(FENCE, (_, _fence, block: string) => {
      blocks.push(block)
      return '\n'
    })
  const prose: string[] = []
  const indented: string[] = []
  for (const line of withoutBlocks.split('\n')) {
    if (MACHINE.test(line)) break
    if (FORM.test(line)) continue
    if (CODE_LINE.test(line) && prose.length > 0) indented.push(line)
    else if (line.trim() !== '') prose.push(line.trim())
  }
  if (indented.length > 0) blocks.push(indented.join('\n'))
  const [first = '', ...rest] = prose
  const title = firstSentence(first.replace(/^#+\s*/, ''))
  return {
    title,
    prose: [first.slice(title.length), ...rest].join('\n'),
    spans: [...withoutBlocks.matchAll(/`([^`\n]{2,80})`/g)].map(([, span = '']) => span),
    blocks,
  }
}

function firstSentence(line: string): string {
  if (line.length <= MAX_TITLE) return line
  const end = /[.!?](?= )/.exec(line.slice(40, MAX_TITLE))
  return line.slice(0, end ? end.index + 41 : MAX_TITLE)
}

/** A place that a question names, such as a frame of a stack trace. */
interface TracedPath {
  readonly path: string
  /** From 1 for the innermost frame, which is where it happened, down to 0. */
  readonly weight: number
}

const PYTHON_FRAME = /File "([^"\n]+)", line \d+/g
const PLACE =
  /(?<![\w@.+~-])(?:[\w@.+~-]{1,100}[\\/]){0,30}[\w@.+-]{1,100}\.[a-z]{1,4}\w?(?=$|[^\w./\\-])/gi
const JVM_FRAME = /\bat ([\w$.]+)\.[\w$<>]+\((\w+\.\w+):\d+\)/g
/** A frame far out still says more than no frame. */
const LEAST = 0.3

/** Paths that a text names: frames of a trace by their depth, and files in prose. */
export function tracedPaths(text: string): TracedPath[] {
  const python = [...text.matchAll(PYTHON_FRAME)].map(([, path = '']) => path)
  // Python prints the innermost frame last, most others first.
  const framed = python.length > 0 ? python.reverse() : jvmFrames(text)
  const named = [...text.matchAll(PLACE)].map(([path]) => path).filter((path) => /[\\/]/.test(path))
  const inOrder = [...new Set([...framed, ...(python.length > 0 ? [] : named)].map(slashed))]
  return inOrder.map((path, at) => ({
    path,
    weight: Math.max(LEAST, 1 - at / Math.max(inOrder.length, 4)),
  }))
}

function jvmFrames(text: string): string[] {
  return [...text.matchAll(JVM_FRAME)].map(
    ([, type = '', file = '']) => `${type.split('.').slice(0, -1).join('/')}/${file}`,
  )
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** How many last parts two paths share; the file's own name must be one of them. */
export function sharedTail(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  let shared = 0
  while (
    shared < left.length &&
    shared < right.length &&
    left.at(-1 - shared) === right.at(-1 - shared)
  )
    shared++
  return shared
}
