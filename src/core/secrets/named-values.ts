import { isGenerated, isPlaceholder, isScrambled, isWordy } from './generated.ts'
import { isUserAndPassword } from './known-forms.ts'
import { meaningOf, type NameMeaning } from './secret-names.ts'
import type { Span } from './span.ts'

/** What every name of a secret has in it. */
const HINT =
  /pass|pwd|secret|token|key|cred|auth|sess|sid\b|sig|[cx]srf|psk|jwt|mnemonic|hmac|phrase|seed.words|kennwort|\bpw|_pw|парол/gi
const NAME_SIGN = /[\p{L}\p{N}_.$-]/u
/** Names are shorter; a longer run is something else, and is not read to its end. */
const MAX_NAME = 80
const QUOTE = /(?:\\{0,3}["'`]|&quot;|&#3[49];|%22)/y
const OPERATOR =
  /\]?[ \t]{0,20}(?::=|=>|=(?![=~>])|:(?!:)|%3D|%3A)[ \t]{0,20}(?:[|>][+-]?\r?\n[ \t]{1,40})?(?:[brufBRUF]{1,2}(?=["'])|(?:\[\]byte|Buffer\.from|bytes|String)\((?=["'`]))?/y
/** `name: X` followed by `value: Y`, as manifests and lists of variables are written. */
const VALUE_FIELD = /[ \t]{0,5},?(?:\r?\n)?[ \t]{0,40}["']?value["']?[ \t]{0,5}[:=][ \t]{0,5}/y
const NEXT_ARGUMENT = /[ \t]{0,5},[ \t]{0,5}(?=["'`])/y
const CALL = /\((?=["'`])/y
const IS =
  /[ \t]{1,3}(?:(?:for|of|to|on|the|our|my|that|user|admin|root|db|database|server|account)[ \t]{1,3}){0,4}(?:is|was|are|:|=|это)[ \t:=]{1,4}/iy
const SPACE = /[ \t]{1,3}/y

interface Place {
  readonly meaning: NameMeaning
  /** How the value is joined to its name. */
  readonly join: 'assigned' | 'flag' | 'argument' | 'tag' | 'said' | 'beside'
  readonly isTight: boolean
  readonly start: number
}

/** Values beside a name that says they are secret, in every notation that programs and people use. */
export function findNamedValues(text: string): Span[] {
  const found: Span[] = []
  let done = 0
  const words = wordEnds(text)
  for (const { index } of text.matchAll(HINT)) {
    if (index < done) continue
    const [from, to] = nameAround(text, index, done)
    done = to
    const meaning = meaningAt(text, from, to)
    const place = meaning && placeOf(text, from, to, meaning)
    if (!place) continue
    const value = valueAt(text, place, words)
    if (!value || !isSecretValue(text.slice(value.start, value.end), place, value)) continue
    found.push({ start: value.start, end: value.end, kind: 'secret' })
    done = Math.max(done, value.end)
  }
  return found
}

function nameAround(text: string, index: number, done: number): [number, number] {
  let from = index
  while (from > done && from > index - MAX_NAME && NAME_SIGN.test(text[from - 1] ?? '')) from--
  let to = index
  while (to < text.length && to < index + MAX_NAME && NAME_SIGN.test(text[to] ?? '')) to++
  while (to > index && /[.-]/.test(text[to - 1] ?? '')) to--
  return [from, to]
}

const FIRST_WORD =
  /\b(?:api|access|secret|private|auth|account|client|encryption|signing|master|seed|recovery)$/i

function meaningAt(text: string, from: number, to: number): NameMeaning | undefined {
  const name = nameIn(text, from, to)
  // `api key: …` is how people write it.
  const first =
    text[from - 1] === ' '
      ? FIRST_WORD.exec(text.slice(Math.max(0, from - 12), from - 1))?.[0]
      : undefined
  const meaning = meaningOf(
    first && /^(?:key|token|secret|phrase)$/i.test(name) ? `${first}_${name}` : name,
  )
  if (meaning || name !== 'key' || !/[?&]/.test(text[from - 1] ?? '')) return meaning
  // `?key=…` is how maps and others take theirs.
  return { promise: 'token', isConstant: false }
}

function nameIn(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[-.$_]{1,8}/, '')
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function placeOf(text: string, from: number, to: number, meaning: NameMeaning): Place | undefined {
  const closed = matchAt(QUOTE, text, to)
  const end = closed ?? to
  const assigned = matchAt(OPERATOR, text, end)
  const isTight = assigned === end + 1
  if (assigned !== undefined) {
    const join = text[from] === '-' ? 'flag' : 'assigned'
    return { meaning, join, isTight, start: assigned }
  }
  if (text[to] === '>' && /<[\w:.-]{0,80}$/.test(text.slice(Math.max(0, from - 40), to)))
    return { meaning, join: 'tag', isTight, start: to + 1 }
  const field = matchAt(VALUE_FIELD, text, end)
  if (field !== undefined) return { meaning, join: 'assigned', isTight: false, start: field }
  const argument =
    closed === undefined ? matchAt(CALL, text, to) : matchAt(NEXT_ARGUMENT, text, end)
  if (argument !== undefined) return { meaning, join: 'argument', isTight, start: argument }
  if (closed !== undefined) return undefined
  const flag = text[from] === '-' ? matchAt(SPACE, text, to) : undefined
  if (flag !== undefined) return { meaning, join: 'flag', isTight, start: flag }
  const said = matchAt(IS, text, to)
  if (said !== undefined) return { meaning, join: 'said', isTight, start: said }
  const beside = matchAt(SPACE, text, to)
  return beside === undefined ? undefined : { meaning, join: 'beside', isTight, start: beside }
}

interface Value {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  /** Nothing but the end of its line or another name with its value follows. */
  readonly isLast: boolean
}

type WordEnds = (from: number) => number

function valueAt(text: string, { start, join }: Place, endOfWord: WordEnds): Value | undefined {
  const opened = matchAt(QUOTE, text, start)
  if (opened !== undefined) {
    const quote = text.slice(start, opened)
    const end = endOfQuoted(text, opened, quote, endOfWord)
    return { start: opened, end, isQuoted: true, isLast: false }
  }
  const end = join === 'tag' ? endOfTag(text, start) : endOfWord(start)
  if (end === start) return undefined
  return {
    start,
    end,
    isQuoted: join === 'tag',
    isLast: /^[ \t]{0,8}(?:$|\r|\n|#|\/\/|["'`]|[\w.-]{1,20}=)/.test(text.slice(end, end + 30)),
  }
}

/** A text ends at its quote, at its line if the quote is missing. Between two quotes nothing is read twice. */
function endOfQuoted(text: string, from: number, quote: string, endOfWord: WordEnds): number {
  for (let end = text.indexOf(quote, from); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (text[end - 1] === '\\' && !quote.startsWith('\\')) continue
    const line = text.indexOf('\n', from)
    return line >= 0 && line < end && quote !== '`' ? endOfWord(from) : end
  }
  return endOfWord(from)
}

function endOfTag(text: string, from: number): number {
  let end = from
  while (end < text.length && end < from + 4_000 && !/[<\n]/.test(text[end] ?? '')) end++
  return end
}

const WORD_END = /[\s"'`<>]/
/** Passwords have these signs too: they end a value if another name or nothing follows. */
const MAYBE_END = /[,;&|)}\]]/
const AFTER_END = /[,;&|)}\]]{1,3}(?:$|[\s"'`<>]|[\w.-]{1,40}[=:])/y

/** Where the word ends that goes on from a place. Many names can share one word, which is read once. */
function wordEnds(text: string): WordEnds {
  let known = { from: -1, end: -1 }
  return (from) => {
    if (from < known.from || from >= known.end) known = { from, end: endOfWordIn(text, from) }
    return known.end
  }
}

function endOfWordIn(text: string, from: number): number {
  let end = from
  for (; end < text.length; end++) {
    const sign = text[end] ?? ''
    if (WORD_END.test(sign)) break
    if (sign === '\\' && /[nrt"'\\]/.test(text[end + 1] ?? '')) break
    if (MAYBE_END.test(sign) && matchAt(AFTER_END, text, end) !== undefined) break
    if (sign === '&' && text.startsWith('&quot;', end)) break
  }
  return end
}

const REFERENCE =
  /^(?:[$%{<[(*#@!?]|process\.|os\.|env\.|ENV\[|import\.|config\.|settings\.|this\.|self\.|args?\.|options?\.|props\.|req\.|request\.|ctx\.|state\.|z\.|await\b|new\b|function\b|async\b|typeof\b|vault:|op:\/\/|ssm:|secretsmanager:|file:|env:|ref\+|https?:\/\/|arn:)/
const CODE = /[(){}[\]]|=>|\?\.|\|\||&&|::|==/
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const PATH = /^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[\\/]|^[\w.-]{1,40}\/[\w.-]{1,40}\/[\w./-]{1,200}$/
const PLAIN_WORDS = new Set(
  `string number boolean undefined null nil none true false required optional redacted enabled disabled hidden unknown any
  object array bytes bool text password passwd secret token username user email input field label default missing invalid
  empty wrong correct plain basic bearer oauth digest never always private public protected readonly static const yes no on
  off str int char varchar uuid blank masked encrypted hashed plaintext sensitive forbidden denied expired passwort
  kennwort senha heslo parola wachtwoord contrasena salasana adgangskode lozinka integer float double unset same admin
  auto manual prompt ask env file stdin keychain keyring vault inherit generated random`.split(
    /\s+/,
  ),
)

function isSecretValue(value: string, place: Place, { isQuoted, isLast }: Value): boolean {
  const { meaning, join } = place
  if (value.length < 4 || value.startsWith('[redacted') || REFERENCE.test(value)) return false
  const sample = value.slice(0, 200)
  if (PLAIN_WORDS.has(sample.toLowerCase().replace(/[.,;:!?]{1,3}$/, ''))) return false
  if (isPlaceholder(sample) || (PATH.test(sample) && !isGenerated(sample.replace(/^\//, ''), 30)))
    return false
  if (DOTTED.test(sample) && isWordy(sample)) return false
  // Sentences in scripts without blanks; nobody's password is made of these.
  if (/[\u3040-\u9fff\uac00-\ud7af]{2}/.test(sample)) return false
  if (/\s/.test(sample)) return isQuoted && isPhrase(sample, meaning)
  if (meaning.promise === 'token' && join !== 'flag')
    return isGenerated(sample, 12) || (sample.length >= 8 && isUserAndPassword(sample))
  if (!isQuoted && CODE.test(sample)) return false
  if (isGenerated(sample, join === 'beside' || join === 'said' ? 8 : 6) || isScrambled(sample, 8))
    return join !== 'beside' || isSureBeside(sample)
  if (/^\d+$/.test(sample))
    return sample.length >= 6 && join !== 'beside' && join !== 'said' && (place.isTight || isQuoted)
  return isChosen(sample, place, isQuoted, isLast)
}

/** Beside a name, without a sign between them, only what nobody would write as a word. */
function isSureBeside(value: string): boolean {
  return value.length >= 8 && !/[/:]/.test(value)
}

/** A value that a person made up: a word, or one with a number or a sign in it. */
function isChosen(
  value: string,
  { meaning, join, isTight }: Place,
  isQuoted: boolean,
  isLast: boolean,
): boolean {
  const isPassword = meaning.promise === 'password'
  const isSetting = (meaning.isConstant && isTight) || join === 'flag'
  const isName = /pass|secret|token|key|auth|cred|pwd/i.test(value) && /^[\w.-]+$/.test(value)
  const hasDigit = /\d/.test(value)
  const hasSign = /[^\w\s.,:;/-]/.test(value)
  if (join === 'said' || join === 'beside')
    return isPassword && value.length >= 6 && hasSign && hasDigit && !/^[("'[]/.test(value)
  if (hasSign)
    return (
      value.length >= 6 && (isPassword || isSetting || hasDigit) && !/[=<>]|\w\.\w+\(/.test(value)
    )
  if (join === 'argument') return isPassword && hasDigit && value.length >= 6 && !isName
  if (isSetting) return value.length >= 6 || (isPassword && value.length >= 4 && hasDigit)
  if (isName && !isQuoted) return false
  if (isQuoted && meaning.isConstant && !isName && /^[a-z]+(?:[-_][a-z]+){4,30}$/.test(value))
    return true
  if (hasDigit) return isPassword && value.length >= 5 && (isQuoted || isTight || isLast)
  if (join === 'tag' && isPassword && /^[a-z]+-[a-z]+$/.test(value)) return !isName
  return isPassword && isChosenWord(value, isQuoted, isTight, isLast)
}

/** Letters only, where a program would have a name and a form would have a label. */
function isChosenWord(
  value: string,
  isQuoted: boolean,
  isTight: boolean,
  isLast: boolean,
): boolean {
  if (value.length < 6 || /pass|secret|token|credential/i.test(value)) return false
  const parts = value.split(/[-_.:/]/)
  if (parts.length > 1) return parts.length >= 4 && /^[a-z-]+$/.test(value)
  if (!/^[A-Za-z]+$/.test(value)) return false
  if (isQuoted) return /^[a-z]+$/.test(value) || /[a-z][A-Z]/.test(value)
  return isLast && /^[a-z]+$/.test(value) && (isTight || value.length >= 6)
}

/** Several words: a phrase that opens something, not a sentence about one. */
function isPhrase(value: string, { promise }: NameMeaning): boolean {
  if (promise === 'token' || /pass|secret|token|\bkey\b/i.test(value)) return false
  if (promise === 'password')
    return (
      /^[a-z]+(?: [a-z]+){2,30}$/.test(value) &&
      !/\b(?:the|your|is|a|must|to|and|be|of|at)\b/.test(value)
    )
  return false
}
