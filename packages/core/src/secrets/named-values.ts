import { isGenerated, isPlaceholder, isScrambled, isWordy, wordsOf } from './generated.ts'
import { isUserAndPassword } from './known-forms.ts'
import type { Span } from './span.ts'

const PASSWORD =
  /(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|pwd|mnemonic|requirepass|masterauth|bindpw|rootpw|passe|passord|contraseñ?n?a|senha|wachtwoord|heslo|hasło|haslo|parola|salasana|lösenord|losenord|adgangskode|[şs]ifre|jelszó|jelszo|lozinka)$/
const SECRET =
  /(?:^|[a-z])(?:secret|secretkey|apikey|accesskey|privatekey|authkey|masterkey|authtoken|accesstoken|refreshtoken|apitoken|bottoken|clientsecret)$/
const PASS =
  /^(?:db|sql|mysql|pg|user|smtp|imap|mail|ftp|ssh|store|key|root|admin|redis|http|proxy|auth|login|my|new|old)?pass$/
/** Words with letters that the words of programs do not have. */
const FOREIGN =
  /парол|密码|密碼|パスワード|暗証番号|비밀번호|סיסמה|รหัสผ่าน|contraseña|hasło|lösenord|şifre|jelszó|mật khẩu/i
/** Cookies of sessions, spelled as the frameworks spell them; other ids of sessions open nothing. */
const COOKIE =
  /^(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]*|ASP\.NET_SessionId|connect\.sid|sessionid|sid|[a-z_]{0,40}_sess(?:ion)?)$/

/** What every name of a secret has in it. */
const HINT =
  /pass|pwd|secret|token|key|cred|auth|sess|sid\b|sig|[cx]srf|psk|jwt|mnemonic|hmac|phrase|seed.words|kennwort|\bpw|_pw|парол|contrase|senha|\bclave|wachtwoord|heslo|hasł|parola|salasana|lösenord|adgangskode|[şs]ifre|jelsz|lozinka|密码|密碼|パスワード|暗証番号|비밀번호|סיסמה|รหัสผ่าน|mật khẩu/gi
const NAME_SIGN = /[\p{L}\p{N}_.$-]/u
/** Names are shorter; a longer run is something else, and is not read to its end. */
const MAX_NAME = 80
const QUOTE = /(?:\\{0,3}["'`]|&quot;|&#3[49];|%22)/y
const OPERATOR =
  /\]?[ \t]{0,20}(?::=|=>|=(?![=~>])|[:：](?!:)|%3D|%3A)[ \t]{0,20}(?:[|>][+-]?\r?\n[ \t]{1,40})?(?:[brufBRUF]{1,2}(?=["'])|(?:\[\]byte|Buffer\.from|bytes|String)\((?=["'`]))?/y
/** `name: X` followed by `value: Y`, as manifests and lists of variables are written. */
const VALUE_FIELD =
  /[ \t]{0,5}(?:,?(?:\r?\n)?[ \t]{0,40}["']?value["']?|\{[^{}]{0,200}?\bdefault)[ \t]{0,20}[:=][ \t]{0,20}(?=["'\w])/y
/** `<key>password</key><string>X`, `<property name="password"><value>X`, `<string name="password">X`. */
const NEXT_TAG = /(?:["'][ \t]{0,3}>|<\/[\w:.-]{1,40}>)\s{0,40}(?:<(?:string|value)>)?(?=[^<\s])/y
const NEXT_ARGUMENT = /[ \t]{0,5},[ \t]{0,5}(?=["'`])/y
const CALL = /\((?=["'`])/y
const IS =
  /[ \t]{1,3}(?:(?:for|of|to|on|für|zu[mr]?|de|del|du|pour|para|the|our|my|that|user|admin|root|db|database|server|account)[ \t]{1,3}(?:\p{L}{1,20}[ \t]{1,3}){0,3}?)?(?:is|was|are|:|=|это|ist|lautet|es|est|é)[ \t:=]{1,4}/iuy
/** `password: String = "…"`, `apiKey string = "…"`. */
const TYPED =
  /(?:\??:[ \t]{0,3}|[ \t]{1,3})&?[A-Za-z][\w.<>?[\]|]{0,40}[ \t]{0,3}=[ \t]{0,3}(?=["'`])/y
const SPACE = /[ \t]{1,3}/y

interface Place {
  readonly meaning: NameMeaning
  /** How the value is joined to its name. */
  readonly join: 'assigned' | 'flag' | 'argument' | 'tag' | 'said' | 'beside'
  readonly isTight: boolean
  readonly start: number
  /** What stands here sets a secret and does nothing else: an option, `setPassword(…)`, `ENV DB_PASS …`. */
  readonly isSetting: boolean
  /** People write the name with a capital, where programs do not. */
  readonly isLabel: boolean
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
  return { promise: 'token', isConstant: false, isSure: false }
}

function nameIn(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[-.$_]{1,8}/, '')
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const SETTER =
  /(?:^|[^a-z])(?:set|with|use|using|change|update|reset|hash|verify|check|compare|validate)_?[a-z0-9_]{0,40}$/i
const SET_BY_NAME =
  /\b(?:set|setItem|append|put|fill|type|setProperty|set_?env|putenv|header|setHeader|addHeader|add_header|define|add|withEnv|env|setEnvironmentVariable)\([ \t]{0,5}["'`]$/i
/** In the languages of settings that part a name from its value by a blank. */
const DIRECTIVE =
  /(?:^|\n)[ \t]{0,20}(?:(?:ENV|ARG|setenv|setx|set -\w{1,3}|conf(?:ig)? set)[ \t]{1,3})?$/
const DIRECTIVE_NAME =
  /^(?:requirepass|masterauth|bindpw|rootpw|[a-z]+(?:_[a-z]+){1,6}|[A-Z]+(?:_[A-Z\d]+){1,6})$/

function placeOf(text: string, from: number, to: number, meaning: NameMeaning): Place | undefined {
  const closed = matchAt(QUOTE, text, to)
  const end = closed ?? to
  const assigned =
    (closed === undefined ? matchAt(TYPED, text, to) : undefined) ?? matchAt(OPERATOR, text, end)
  const isTight = assigned === end + 1
  const name = text.slice(from, to)
  const place = (join: Place['join'], start: number, isSetting = join === 'flag'): Place => ({
    ...{ meaning, join, isTight, start, isSetting, isLabel: /^\p{Lu}\p{Ll}+$/u.test(name) },
  })
  if (assigned !== undefined)
    return place(
      text[from] === '-' ? 'flag' : 'assigned',
      assigned,
      text[from] === '-' || (meaning.isConstant && (isTight || meaning.isSure)),
    )
  if (text[to] === '>' && /<[\w:.-]{0,80}$/.test(text.slice(Math.max(0, from - 40), to)))
    return place('tag', to + 1)
  const tag = matchAt(NEXT_TAG, text, to)
  if (tag !== undefined && /[>"']$/.test(text.slice(from - 1, from))) return place('tag', tag)
  const field = matchAt(VALUE_FIELD, text, end)
  if (field !== undefined) return place('assigned', field)
  const before = text.slice(Math.max(0, from - 40), from)
  if (closed === undefined) {
    const called = matchAt(CALL, text, to)
    if (called !== undefined) return place('argument', called, SETTER.test(name))
  } else {
    const argument = matchAt(NEXT_ARGUMENT, text, end)
    return argument === undefined
      ? undefined
      : place('argument', argument, meaning.isConstant || SET_BY_NAME.test(before))
  }
  const flag = text[from] === '-' ? matchAt(SPACE, text, to) : undefined
  if (flag !== undefined) return place('flag', flag)
  const said = matchAt(IS, text, to)
  if (said !== undefined) return place('said', said)
  const beside = matchAt(SPACE, text, to)
  if (beside === undefined) return undefined
  return place('beside', beside, DIRECTIVE.test(before) && DIRECTIVE_NAME.test(name))
}

interface Value {
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
  /** Nothing but the end of its line or another name with its value follows. */
  readonly isLast: boolean
  /** Its sentence, or a part of it, ends with it. */
  readonly isClauseEnd: boolean
}

type WordEnds = (from: number) => number

function valueAt(text: string, { start, join }: Place, endOfWord: WordEnds): Value | undefined {
  const opened = matchAt(QUOTE, text, start)
  if (opened !== undefined) {
    const quote = text.slice(start, opened)
    const end = endOfQuoted(text, opened, quote, endOfWord)
    return { start: opened, end, isQuoted: true, isLast: false, isClauseEnd: true }
  }
  const end = join === 'tag' ? endOfTag(text, start) : endOfWord(start)
  if (end === start) return undefined
  return {
    start,
    end,
    isQuoted: join === 'tag',
    isClauseEnd:
      /[.,;!]$/.test(text.slice(start, end)) ||
      /^[,;]?[ \t]{0,3}(?:$|\r|\n)|^[,;]/.test(text.slice(end, end + 6)),
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

/** Words of sentences about a password: `the password is wrong`. */
const ORDINARY =
  /(?:ed|ing|ly|[ai]ble|ent|ant|ive|al|ful|less|ous|word|words|ured|cht|ssen|lich|iert|isch|haft|toria|toire|rida|recta|recte|falsch|richtig|korrekt|ungültig|gültig|leer|bekannt|sicher|wrong|correct|strong|weak|short|empty|known|sent|kept|bad|good|fine|okay|right|safe|secure|here|there|below|above|again|blank|invalid|valid|stale|plain|broken|gone|given|shown|hidden|written|stolen|forgotten|chosen|driven|taken|unknown|first|second|another|longer|shorter|stronger|weaker|different|unsafe|insecure|unique|random|simple|complex|needed|please|something|nothing|default|string|strings|number|object|field|fields|value|values|buffer|scalar|input|secrets?|tokens?|characters?|users?)$/i

function isOrdinary(word: string): boolean {
  return PLAIN_WORDS.has(word.toLowerCase()) || ORDINARY.test(word)
}

function isSecretValue(value: string, place: Place, shape: Value): boolean {
  const { meaning, join } = place
  const { isQuoted } = shape
  if (value.length < 4 || value.startsWith('[redacted') || REFERENCE.test(value)) return false
  const sample = value.slice(0, 200)
  if (PLAIN_WORDS.has(sample.toLowerCase().replace(/[.,;:!?]{1,3}$/, ''))) return false
  if (isPlaceholder(sample) || (PATH.test(sample) && !isGenerated(sample.replace(/^\//, ''), 30)))
    return false
  if (DOTTED.test(sample) && isWordy(sample)) return false
  // Sentences in scripts without blanks; nobody's password is made of these.
  if (/[\u3040-\u9fff\uac00-\ud7af]{2}/.test(sample)) return false
  if (/\s/.test(sample)) return isQuoted && isPhrase(sample, place)
  if (meaning.promise === 'token' && join !== 'flag')
    return isGenerated(sample, 12) || (sample.length >= 8 && isUserAndPassword(sample))
  if (!isQuoted && CODE.test(sample)) return false
  if (isGenerated(sample, join === 'beside' || join === 'said' ? 8 : 6) || isScrambled(sample, 8))
    return join !== 'beside' || isSureBeside(sample)
  if (/^\d+$/.test(sample))
    return sample.length >= 6 && join !== 'beside' && join !== 'said' && (place.isTight || isQuoted)
  return isChosen(sample, place, shape)
}

/** Beside a name, without a sign between them, only what nobody would write as a word. */
function isSureBeside(value: string): boolean {
  return value.length >= 8 && !/[/:]/.test(value)
}

/** A value that a person made up: a word, or one with a number or a sign in it. */
function isChosen(value: string, place: Place, shape: Value): boolean {
  const { meaning, join, isTight, isSetting } = place
  const { isQuoted, isLast } = shape
  const isPassword = meaning.promise === 'password'
  const isName = /pass|secret|token|key|auth|cred|pwd/i.test(value) && /^[\w.-]+$/.test(value)
  const hasDigit = /\d/.test(value)
  const hasSign = /[^\w\s.,:;/-]/.test(value)
  if (join === 'said' || (join === 'beside' && !isSetting)) {
    if (!isPassword || value.length < 6 || /^[("'[]/.test(value)) return false
    if (join === 'beside' && shape.isClauseEnd && /^[A-Za-z]{6,40}\d{2,8}$/.test(value)) return true
    return (hasSign && hasDigit) || (join === 'said' && isSaidWord(value, shape))
  }
  if (join === 'beside') return isLast && value.length >= 6 && !isName && !isOrdinary(value)
  if (hasSign)
    return (
      value.length >= 6 && (isPassword || isSetting || hasDigit) && !/[=<>]|\w\.\w+\(/.test(value)
    )
  if (join === 'argument')
    return (
      value.length >= 6 && !isName && isPassword && (hasDigit || (isSetting && !isOrdinary(value)))
    )
  if (isSetting && (isTight || join === 'flag'))
    return value.length >= 6 || (isPassword && value.length >= 4 && hasDigit)
  if (isName && !isQuoted) return false
  if (isQuoted && meaning.isSure && isQuotedWord(value) && !isName) return true
  if (hasDigit) return isPassword && value.length >= 5 && (isQuoted || isTight || isLast)
  if (join === 'tag' && isPassword && /^[a-z]+-[a-z]+$/.test(value)) return !isName
  return isPassword && isChosenWord(value, place, shape)
}

/** One word or several joined ones, in quotes behind a name that only secrets have. */
function isQuotedWord(value: string): boolean {
  return value.length >= 8 && /^[a-z]+(?:[-_.][a-z]+){0,30}$/.test(value) && !/ed$|ing$/.test(value)
}

/** `the password is …`: in quotes, or the last word of what is said, and none that describes a password. */
function isSaidWord(value: string, { isQuoted, isClauseEnd }: Value): boolean {
  const word = value.replace(/[.,;!]{1,3}$/, '')
  return (isQuoted || isClauseEnd) && /^[A-Za-z-]{6,40}$/.test(word) && !isOrdinary(word)
}

/** Letters only, where a program would have a name and a form would have a label. */
function isChosenWord(
  value: string,
  { isTight, isLabel }: Place,
  { isQuoted, isLast }: Value,
): boolean {
  if (value.length < 6 || /pass|secret|token|credential/i.test(value)) return false
  const parts = value.split(/[-_.:/]/)
  if (parts.length > 1) return parts.length >= 4 && /^[a-z-]+$/.test(value)
  if (!/^[A-Za-z]+$/.test(value)) return false
  if (isQuoted) return /^[a-z]+$/.test(value) || /[a-z][A-Z]/.test(value)
  if (isLabel) return isLast && /^[A-Z]?[a-z]+$/.test(value) && !isOrdinary(value)
  return isLast && /^[a-z]+$/.test(value) && (isTight || value.length >= 6)
}

/** Several words: a phrase that opens something, not a sentence about one. */
function isPhrase(value: string, { meaning, isSetting }: Place): boolean {
  if (!meaning.isSure || /pass|secret|token|\bkey\b/i.test(value)) return false
  if (/\b(?:the|your|is|a|must|to|and|be|of|at|not|no)\b/i.test(value)) return false
  if (meaning.promise === 'password' && isSetting)
    return /^\S{1,40}(?: \S{1,40}){1,30}$/.test(value)
  return (
    /^[a-z]+(?: [a-z]+){1,30}$/.test(value) &&
    (meaning.promise === 'secret' || value.split(' ').length > 2) &&
    !value.split(' ').some(isOrdinary)
  )
}

/**
 * How much a name says about the value beside it:
 * - `password`: people choose these, so any value counts that is no reference, placeholder or word of a form;
 * - `secret`: machines make these, people name settings after them;
 * - `token`: the word has other uses, so the value must look as if a machine made it.
 */
type Promises = 'password' | 'secret' | 'token'

const set = (text: string) => new Set(text.trim().split(/\s+/))

/** Words behind the one that counts: `API_KEY_PROD`, `secret_key_base`, `password2`. */
const TRAILING = set(`
  prod production prd dev development staging stage stg test testing live local uat qa base value default main old new
  current previous prev primary secondary backup encoded plain plaintext cleartext text raw string str literal`)

const PASSWORD_PAIRS = set(
  'pass-word pass-phrase pass-code seed-phrase recovery-phrase seed-words secret-phrase',
)

/** `ssh_pass`; a first or a second pass is something else. */
const PASS_OF = set(
  'db sql mysql pg user smtp imap mail ftp ssh root admin redis proxy auth login sudo become',
)

/** What a key opens; `key` alone is a property, a shortcut or a column. */
const KEYS = set(`
  api secret private encryption encrypt decryption signing master account access auth shared service deploy subscription
  functions session cookie webhook admin root jwt hmac aes crypto cipher license app server client signature ssh host
  storage vault sas ingest ingestion write consumer`)

const TOKENS = set(`
  auth access refresh bearer session api personal bot deploy private security oauth jwt registry publish ci app service
  secret upload id reset csrf xsrf user admin install installation gh github gitlab npm slack vault`)

/** Keys and tokens that everybody may see, or that point at something else. */
const HARMLESS = set(`
  design css cache primary foreign sort partition public publishable translation i18n query dedupe dedup idempotency object
  row event shortcut hot syntax lexer next page cursor continuation sync resume count max min num total site type kind
  index react map group lookup bucket column field theme color parent child end start eos bos pad unk mask sep cls stop
  special first last word sub punctuation keyword operator delimiter`)

interface NameMeaning {
  readonly promise: Promises
  /** As environment files write it: `DB_PASS`. */
  readonly isConstant: boolean
  /** Nothing but secrets is called so: `apiSecret`, unlike `storageKey`. */
  readonly isSure: boolean
}

/** What a name promises; undefined for names that have nothing to do with secrets. */
function meaningOf(name: string): NameMeaning | undefined {
  const promise = promiseOf(name)
  if (!promise) return undefined
  const isConstant = /^[A-Z][A-Z0-9_]*$/.test(name)
  // A variable that is called a token holds one.
  return {
    promise: promise === 'token' && isConstant && /TOKEN/.test(name) ? 'secret' : promise,
    isConstant,
    isSure:
      promise === 'password' ||
      /(?:secret|api[_-]?key|(?:secret|private|access|master|signing|encryption)[_-]?key|(?:access|auth|api|bot|bearer)[_-]?token)$/i.test(
        name,
      ),
  }
}

function promiseOf(name: string): Promises | undefined {
  if (FOREIGN.test(name)) return 'password'
  const words = wordsOf(name)
  while (words.length > 1 && (TRAILING.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? '')))
    words.pop()
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (
    PASSWORD.test(last) ||
    last === 'pw' ||
    last === 'psk' ||
    (last === 'pass' && PASS_OF.has(before)) ||
    PASSWORD_PAIRS.has(`${before}-${last}`)
  )
    return 'password'
  if (HARMLESS.has(before)) return undefined
  if (SECRET.test(last) || PASS.test(last)) return 'secret'
  if (last === 'key')
    return KEYS.has(before) ? 'secret' : /\w[_-]key|[a-z]Key/i.test(name) ? 'token' : undefined
  if (last === 'token') return TOKENS.has(before) ? 'secret' : 'token'
  if (
    /^(?:creds?|credentials?|csrf|xsrf|auth|authorization|authentication|sig|signature|jwt|hmac)$/.test(
      last,
    )
  )
    return 'token'
  if (/(?:token|apikey)$/.test(last)) return 'token'
  return COOKIE.test(name) ? 'token' : undefined
}
