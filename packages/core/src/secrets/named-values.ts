import { isGenerated, isPlaceholder, isScrambled, isWordy, wordsOf } from './generated.ts'
import { isUserAndPassword } from './known-forms.ts'
import type { Span } from './span.ts'

const PASSWORD =
  /(?:pass?w(?:or|ro|r)?d|pswd?|pwo?rd|passphrase|passcode|passwort|kennwort|pwd|mnemonic|requirepass|masterauth|(?:bind|root|db|user|admin|my|smtp|mail)pw|passe|passord|contraseñ?n?a|senha|wachtwoord|heslo|hasło|haslo|parola|salasana|lösenord|losenord|adgangskode|[şs]ifre|jelszó|jelszo|lozinka)$/
const SECRET =
  /(?:^|[a-z])(?:secret|secretkey|apikey|accesskey|privatekey|authkey|masterkey|authtoken|accesstoken|refreshtoken|apitoken|bottoken|clientsecret)$/
const PASS =
  /^(?:db|sql|mysql|pg|user|smtp|imap|mail|ftp|ssh|store|key|root|admin|redis|http|proxy|auth|login|my|new|old|vpn|wifi|app|bind)pass$/
/** Words with letters that the words of programs do not have. */
const FOREIGN =
  /парол|密码|密碼|パスワード|暗証番号|비밀번호|סיסמה|รหัสผ่าน|contraseña|hasło|lösenord|şifre|jelszó|mật khẩu|口令|暗号$/i
/** Cookies of sessions, spelled as the frameworks spell them; other ids of sessions open nothing. */
const COOKIE =
  /^(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]*|ASP\.NET_SessionId|connect\.sid|sessionid|sid|[a-z_]{0,40}_sess(?:ion)?)$/

/** What every name of a secret has in it. */
const HINT =
  /pass|appid|\bmdp\b|pasw|pwd|psw|pwo?rd|secret|salt|token|key|cred|auth|sess|sid\b|sig|[cx]srf|psk|jwt|mnemonic|hmac|phrase|seed.words|kennwort|\bpw|_pw|pw\b|парол|contrase|senha|\bclave|wachtwoord|heslo|hasł|parola|salasana|lösenord|adgangskode|[şs]ifre|jelsz|lozinka|密码|密碼|パスワード|暗証番号|비밀번호|סיסמה|รหัสผ่าน|mật khẩu|口令|密钥|密鑰|令牌|токен|секрет|ключ|schlüssel/gi
const NAME_SIGN = /[\p{L}\p{N}_.$-]/u
/** Names are shorter; a longer run is something else, and is not read to its end. */
const MAX_NAME = 80
const QUOTE = /(?:\\{0,3}["'`]|&quot;|&#3[49];|%22)/y
const OPERATOR =
  /(?:\]|\[\w{0,10}\])?[ \t]{0,20}(?::=|=>|<-|=(?![=~>])|[:：](?!:)|%3D|%3A)[ \t]{0,20}(?:[|>][+-]?\r?\n[ \t]{1,40})?(?:[brufBRUF]{1,2}(?=["'])|(?:\[\]byte|Buffer\.from|bytes|String)\((?=["'`]))?/y
/** `**password**: …` and `**Password:** …`. */
const EMPHASIZED = /(?:\*{1,3}[ \t]?:|:\*{1,3})[ \t]{1,3}/y
/** `name: X` followed by `value: Y`, as manifests and lists of variables are written. */
const VALUE_FIELD =
  /[ \t]{1,5}-Value[ \t]{1,5}(?=["'])|[ \t]{0,5}(?:,?(?:\r?\n)?[ \t]{0,40}["']?value["']?|\{[^{}]{0,200}?\bdefault)[ \t]{0,20}[:=][ \t]{0,20}(?=["'\w])/y
/** `<key>password</key><string>X`, `<property name="password"><value>X`, `<string name="password">X`. */
const NEXT_TAG =
  /(?:["'](?:[ \t]{1,3}[\w:.-]{1,40}=["'][^"'<>\n]{0,60}["']){0,3}[ \t]{0,3}>|<\/[\w:.-]{1,40}>)\s{0,40}(?:<(?:string|value)>)?(?=[^<\s])/y
const NEXT_ARGUMENT = /[ \t]{0,5},[ \t]{0,5}(?=["'`])/y
/** What a variable of the environment is replaced by if it is not set. */
const FALLBACK =
  /["'\]]{0,2}\)?[ \t]{0,3}(?:\|\||\?\?=?|or\b)[ \t]{0,3}(?=["'`])|["']\)[ \t]?\{[ \t]?(?=["'`])/y
const CALL = /\((?=["'`])/y
/** What joins a name to its value in a sentence. */
const IS =
  /(?:[ \t]{1,3}(?:is|was|are|(?:should|must|will) be|(?:is |was |been )?(?:set|changed|reset|updated) (?:to|as)|это|ist|war|sind|lautet|heißt|es|est|é|è|är|er|jest|wynosi|je)(?: (?:now|still|jetzt))?[ \t:=]{1,4}|[ \t]{0,3}(?:[:：=—–]|->|→|=>)[ \t]{1,3}|[ \t]{1,3}-[ \t]{1,3}|[ \t]{0,3}[是为為はは는은]\s{0,3}(?=[!-~]{4}))/iuy
/** Whose it is: `the password for the staging server is …`. */
const WHOSE =
  /[ \t]{1,3}(?:for|of|to|on|at|in|für|zu[mr]?|vo[nm]|de|del|della|di|du|pour|para|do|da|dla|od|från|till|til|voor|van|от|к|для|на|the|our|my|that|user|admin|root|db|database|server|account)(?=[ \t])/iuy
const NEXT_WORD = /[ \t]{1,3}[\p{L}\p{N}_.@-]{1,40}(?=[ \t:：=])/uy
/** `name="password"`, an empty line and the value, as forms are sent in parts. */
const NEXT_PART = /\r?\n(?:[A-Z][\w-]{1,40}: [^\r\n]{1,100}\r?\n){0,3}\r?\n(?=[^\s-])/y
/** `| password | … |` in a table. */
const NEXT_CELL = /[*`_]{0,3}[ \t]{0,20}\|[ \t]{0,20}[*_`]{0,3}(?=[^\s|-])/y
/** `password: String = "…"`, `apiKey string = "…"`. */
const TYPED =
  /(?:\??:[ \t]{0,3}|[ \t]{1,3})&?[A-Za-z][\w.<>?[\]|]{0,40}[ \t]{0,3}=[ \t]{0,3}(?=["'`])/y
const SET_TO = /[ \t](?:to|is|=|as)[ \t]{1,3}(?=["'`])/y
const TO = /[ \t](?:to|as|of)[ \t]{1,3}/y
const SPACE = /[ \t]{1,3}/y

interface Place {
  readonly name: string
  readonly meaning: NameMeaning
  /** How the value is joined to its name. */
  readonly join: 'assigned' | 'flag' | 'argument' | 'tag' | 'cell' | 'said' | 'beside'
  readonly isTight: boolean
  readonly start: number
  /** What stands here sets a secret and does nothing else: an option, `setPassword(…)`, `ENV DB_PASS …`. */
  readonly isSetting: boolean
  /** The value of a variable: joined by `=`, not by the colon of a field. */
  readonly isVariable: boolean
  /** No program writes an expression here, only a value: a query, a form, the fallback of a variable. */
  readonly isLiteral: boolean
  /** `{user=ada, password=…}`, as programs print their objects. */
  readonly isInBraces: boolean
  /** In brackets behind a word: `ssh ada@host (password: …)`. */
  readonly isAside: boolean
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
  /\b(?:api|access|secret|private|auth|account|client|encryption|signing|master|seed|recovery|db|ssh|ftp|sql|smtp|mysql|admin|root|sudo|login|jwt|webhook|shared|bearer|refresh|session)$/i

function meaningAt(text: string, from: number, to: number): NameMeaning | undefined {
  const name = nameIn(text, from, to)
  // `api key: …` is how people write it.
  const first =
    text[from - 1] === ' '
      ? FIRST_WORD.exec(text.slice(Math.max(0, from - 12), from - 1))?.[0]
      : undefined
  const meaning = meaningOf(
    first && /^(?:key|token|secret|phrase|pass)$/i.test(name) ? `${first}_${name}` : name,
  )
  if (meaning || name !== 'key' || !/[?&]/.test(text[from - 1] ?? '')) return meaning
  // `?key=…` is how maps and others take theirs.
  return { promise: 'token', isConstant: false, isWeak: false, isSure: false }
}

function nameIn(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[-.$_]{1,8}/, '')
}

/** Where the value begins in `password is …` and `password for the staging server is …`. */
function afterVerb(text: string, to: number): number | undefined {
  const direct = matchAt(IS, text, to)
  if (direct !== undefined) return direct
  let at = matchAt(WHOSE, text, to)
  for (let words = 0; at !== undefined && words < 4; words++) {
    const said = matchAt(IS, text, at)
    if (said !== undefined) return said
    at = matchAt(NEXT_WORD, text, at)
  }
  return at === undefined ? undefined : matchAt(IS, text, at)
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const SETTER =
  /(?:^|[^a-z])(?:set|with|use|using|change|update|reset|hash|verify|check|compare|validate)_?[a-z0-9_]{0,40}$/i
/** `.password("…")`, but not `z.password("…")`. */
const BUILDER = /(?:^|\w{2})\.[a-z]{0,20}(?:password|passwd|pwd|passphrase|secret|apiKey)$/i
const SET_BY_NAME =
  /\b(?:set|setItem|append|put|fill|type|setProperty|set_?env|putenv|header|setHeader|addHeader|add_header|define|add|withEnv|env|setEnvironmentVariable|fill_in|fillField|setValue)\([ \t]{0,5}["'`][#.]?$/i
/** In the languages of settings that part a name from its value by a blank. */
const DIRECTIVE =
  /(?:^|\n)[ \t]{0,20}(?:(?:ENV|ARG|setenv|setx|set -\w{1,3}|conf(?:ig)? set)[ \t]{1,3})?$/
const DIRECTIVE_NAME =
  /^(?:requirepass|masterauth|bindpw|rootpw|[a-z]+(?:_[a-z]+){1,6}|[A-Z]+(?:_[A-Z\d]+){1,6})$/

function isAside(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 30), from)
  return before.includes('(') && ASIDE.test(before)
}

function isInBraces(text: string, from: number): boolean {
  for (let at = from - 1; at >= 0 && at > from - 120; at--) {
    const sign = text[at] ?? ''
    if (sign === '{' || sign === '[') return true
    if (sign === '(' || sign === ')' || sign === ';' || sign === '\n') return false
  }
  return false
}

const ASIDE = /(?:^|\s)\((?:\p{L}{1,12}[ \t]){0,2}$/u

function placeOf(text: string, from: number, to: number, meaning: NameMeaning): Place | undefined {
  const closed = matchAt(QUOTE, text, to)
  const end = closed ?? to
  const assigned =
    (closed === undefined ? matchAt(TYPED, text, to) : undefined) ??
    (text[end] === '*' || text[end] === ':' ? matchAt(EMPHASIZED, text, end) : undefined) ??
    matchAt(OPERATOR, text, end)
  const isTight = assigned === end + 1
  const name = text.slice(from, to)
  const place = (join: Place['join'], start: number, isSetting = join === 'flag'): Place => ({
    name,
    meaning,
    join,
    isTight,
    start,
    isSetting,
    isLabel: /^\p{Lu}\p{Ll}+$/u.test(name),
    isVariable: assigned !== undefined && /=/.test(text.slice(end, assigned)),
    isInBraces: isTight && isInBraces(text, from),
    isAside: isAside(text, from),
    isLiteral:
      join === 'tag' || /[?&]/.test(text[from - 1] ?? '') || text.startsWith('${', from - 2),
  })
  if (assigned !== undefined)
    return place(
      text[from] === '-' ? 'flag' : 'assigned',
      assigned,
      text[from] === '-' || (meaning.isConstant && (isTight || meaning.isSure)),
    )
  if (text[to] === '>' && /(?:^|[^?])<[\w:.-]{0,80}$/.test(text.slice(Math.max(0, from - 40), to)))
    return place('tag', to + 1)
  const tag = matchAt(NEXT_TAG, text, to)
  if (tag !== undefined && /[>"']$/.test(text.slice(from - 1, from))) return place('tag', tag)
  const fallback = matchAt(FALLBACK, text, to)
  if (fallback !== undefined) return place('assigned', fallback)
  const field = matchAt(VALUE_FIELD, text, end)
  if (field !== undefined) return place('assigned', field)
  const before = text.slice(Math.max(0, from - 40), from)
  if (closed === undefined) {
    const called = matchAt(CALL, text, to)
    if (called !== undefined)
      return place('argument', called, SETTER.test(name) || BUILDER.test(name))
    const argument = meaning.isConstant ? matchAt(NEXT_ARGUMENT, text, to) : undefined
    if (argument !== undefined) return place('argument', argument, true)
  } else {
    const argument = matchAt(NEXT_ARGUMENT, text, end)
    const part = argument === undefined ? matchAt(NEXT_PART, text, end) : undefined
    if (part !== undefined && /\bname=["']?$/.test(before)) return place('tag', part)
    const set = argument === undefined ? matchAt(SET_TO, text, end) : undefined
    if (set !== undefined) return place('said', set)
    return argument === undefined
      ? undefined
      : place('argument', argument, meaning.isConstant || SET_BY_NAME.test(before))
  }
  const flag = text[from] === '-' ? matchAt(SPACE, text, to) : undefined
  if (flag !== undefined) return place('flag', flag)
  const said = afterVerb(text, to)
  if (said !== undefined) return place('said', said)
  const cell = matchAt(NEXT_CELL, text, to)
  if (cell !== undefined) return place('cell', cell)
  const beside = matchAt(TO, text, to) ?? matchAt(SPACE, text, to)
  if (beside === undefined) return undefined
  return place(
    'beside',
    beside,
    (DIRECTIVE.test(before) &&
      (DIRECTIVE_NAME.test(name) || (meaning.isConstant && /[ \t]$/.test(before)))) ||
      /^(?:requirepass|masterauth)$/.test(name),
  )
}

interface Value {
  readonly start: number
  readonly end: number
  readonly quote?: string
  readonly isQuoted: boolean
  /** Nothing but the end of its line or another name with its value follows. */
  readonly isLast: boolean
  readonly isBracketed: boolean
  readonly isListed: boolean
  /** A word follows that belongs to no expression: `password=… for user`. */
  readonly isFollowed: boolean
  /** Its sentence, or a part of it, ends with it. */
  readonly isClauseEnd: boolean
}

const LAST =
  /^[ \t]{0,8}(?:$|\r|\n|#|\/\/|;?["'`]|[;&]?[ \t]?[A-Za-z][\w.-]{0,20}(?: [A-Z]\w{0,15})?=|&$|[;&][A-Za-z]{1,20}$)/
const FOLLOWED = /^(?:&|[ \t](?!and\b|or\b|if\b|else\b|[&|?:+*=,)-]))/

type WordEnds = (from: number) => number

function valueAt(text: string, { start, join }: Place, endOfWord: WordEnds): Value | undefined {
  const opened = matchAt(QUOTE, text, start)
  if (opened !== undefined) {
    const quote = text.slice(start, opened)
    const end = endOfQuoted(text, opened, quote, endOfWord)
    const rest = {
      isLast: false,
      isBracketed: false,
      isListed: false,
      isClauseEnd: true,
      isFollowed: false,
    }
    return { start: opened, end, quote, isQuoted: true, ...rest }
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
    isBracketed: text[end] === ')',
    isListed: /^[,}\]]/.test(text.slice(end, end + 1)),
    isLast: LAST.test(text.slice(end, end + 40)),
    isFollowed: join === 'assigned' && FOLLOWED.test(text.slice(end, end + 12)),
  }
}

/** A text ends at its quote, at its line if the quote is missing. Between two quotes nothing is read twice. */
function endOfQuoted(text: string, from: number, quote: string, endOfWord: WordEnds): number {
  for (let end = text.indexOf(quote, from); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (text[end - 1] === '\\' && !quote.startsWith('\\')) continue
    return quote !== '`' && text.slice(from, end).includes('\n') ? endOfWord(from) : end
  }
  return endOfWord(from)
}

function endOfTag(text: string, from: number): number {
  let end = from
  while (end < text.length && end < from + 4_000 && !/[<\r\n]/.test(text[end] ?? '')) end++
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
  /(?:ed|ing|ly|[ai]ble|ent|ant|ive|al|ful|less|ous|ured|cht|ssen|lich|iert|isch|haft|toria|toire|rida|recta|recte)$/i
const ORDINARY_WORDS = new Set(
  `word words falsch richtig korrekt ungültig gültig leer bekannt sicher wrong correct strong weak short long empty known sent
  kept bad good fine okay right safe secure here there below above again blank invalid valid stale plain broken gone given
  shown hidden written stolen forgotten chosen driven taken unknown first second another longer shorter stronger weaker
  different unsafe insecure unique random simple complex needed please something nothing default string strings number object
  field fields value values buffer scalar input secret secrets token tokens character characters user users data result reset
  length minlength maxlength match mismatch missing policy strict rules label title prompt dialog button screen page form
  only manager change changes confirm repeat validation validator local remote column table query header cookie cookies body
  secretstr mine yours theirs ours same other either neither none both part text case check error errors warning info debug
  min max least most not read write set parameter parameters flag flags option options argument arguments switch setting`.split(
    /\s+/,
  ),
)

function isOrdinary(word: string): boolean {
  const plain = word.toLowerCase()
  return PLAIN_WORDS.has(plain) || ORDINARY_WORDS.has(plain) || ORDINARY.test(plain)
}

/** What a form or a program writes where a password would be: a word of its own, or a name for one. */
function isLabelWord(word: string): boolean {
  const plain = word.toLowerCase()
  return (
    PLAIN_WORDS.has(plain) ||
    ORDINARY_WORDS.has(plain) ||
    PASSWORD.test(plain) ||
    FOREIGN.test(plain)
  )
}

/** Expressions and placeholders in quotes; a password may begin with the sign of one. */
const QUOTED_REFERENCE =
  /^(?:\$[{(]|\$[A-Za-z_]+\d?$|[{(]|%[({sdv]|%\w+%$|<[^>]*>?$|\[.*\]$|[#@.]\{|[#.][a-zA-Z][a-zA-Z_-]*$|[*?]{3}|@[a-zA-Z_.-]+$|[!@&]\w+ )/
/** Names of algorithms and of fields of forms, which have digits in them as passwords do. */
const TECHNICAL =
  /^(?:(?:sha|aes|rsa|utf|base|md|hs|rs|es|ps|argon|pbkdf|bcrypt|scrypt|ed|ecdsa|oauth|http|tls|ssl|ipv|windows|python|php|node|mysql|postgres)[-_]?\d{1,5}(?:id|cbc|gcm|ctr|crypt|-.*)?|(?:v|x|h|password|passwort|pass|pwd|field|key|token|secret|user|line|step|option|version|page|test)[-_]?\d{1,2})$/i

function isReference(value: string, isQuoted: boolean): boolean {
  if (!REFERENCE.test(value)) return false
  if (/^[a-z]/i.test(value)) return true
  return isQuoted
    ? QUOTED_REFERENCE.test(value)
    : !/^[!#?*][^\s()[\]{}]{5,}$/.test(value) || !/[A-Za-z]/.test(value) || !/\d/.test(value)
}

function isSecretValue(value: string, place: Place, shape: Value): boolean {
  const { meaning, join } = place
  const { isQuoted } = shape
  if (value.length < 4 || value.startsWith('[redacted')) return false
  const sample = value.slice(0, 200)
  if (isReference(sample, isQuoted)) return false
  if (POPULAR.test(sample) && meaning.promise === 'password' && !meaning.isWeak)
    return (
      join !== 'said' && join !== 'beside' && join !== 'argument' && (isQuoted || place.isTight)
    )
  if (PLAIN_WORDS.has(sample.toLowerCase().replace(/[.,;:!?]{1,3}$/, ''))) return false
  if (isPlaceholder(sample) || (PATH.test(sample) && !isGenerated(sample.replace(/^\//, ''), 20)))
    return false
  const isOpen = !isQuoted && !place.isLiteral && join !== 'flag'
  if (DOTTED.test(sample) && isWordy(sample) && (isOpen || isNameOfText(sample))) return false
  // Sentences in scripts without blanks; nobody's password is made of these.
  if (/[\u3040-\u9fff\uac00-\ud7af]{2}/.test(sample)) return false
  if (/\s/.test(sample))
    return isQuoted && shape.quote !== '`' && (isPhrase(sample, place) || isNoise(sample))
  if (isOpen && CODE.test(sample)) return false
  if (VERSION.test(sample) || REGEX.test(sample) || /\\u[\da-f]{4}/i.test(sample)) return false
  if (isEcho(sample, place.name)) return false
  if (meaning.promise === 'token' && join !== 'flag')
    return (
      isGenerated(sample, 12) ||
      (sample.length >= 8 && isUserAndPassword(sample)) ||
      (meaning.isConstant && place.isTight && (USER_AND_WORD.test(sample) || isMixed(sample)))
    )
  if (isGenerated(sample, join === 'beside' || join === 'said' ? 8 : 6) || isScrambled(sample, 8))
    return join !== 'beside' || isSureBeside(sample)
  if (/^\d+$/.test(sample)) return isChosenNumber(sample, place, shape)
  const isLast =
    shape.isLast ||
    (place.isAside && shape.isBracketed) ||
    (place.isInBraces && place.isVariable && shape.isListed)
  return isChosen(sample, place, { ...shape, isLast })
}

/** `TOKEN_HEADER = 'x-token-header'` names what it holds. */
function isEcho(value: string, name: string): boolean {
  return !/[^a-z\d_.-]/i.test(value) && lettersOf(name).includes(lettersOf(value))
}

function lettersOf(text: string): string {
  return text.replace(/[^a-z\d]/gi, '').toLowerCase()
}

const VERSION = /^[\^~>=<v]{0,2}\d{1,5}(?:\.\d{1,5}){1,3}(?:[-+][\w.]{1,30})?$/
const REGEX = /^\/[^\s/]{0,200}[|()[\]\\]/
/** Letters, digits and signs, as people make a password of a word. */
function isMixed(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value) && /[!@#$%^&*?~]/.test(value)
}

/** `BASIC_AUTH=ada:…`. */
const USER_AND_WORD = /^(?!pass|user:|https?:)[\w.@-]{2,40}[:/](?!pass)[^\s/:]{5,100}$/i

/** Beside a name, without a sign between them, only what nobody would write as a word. */
function isSureBeside(value: string): boolean {
  return value.length >= 8 && !/[/:]/.test(value)
}

/** `errors.password.required` names a text of a program. */
function isNameOfText(value: string): boolean {
  const parts = value.split('.')
  return parts.length > 2 || parts.some(isLabelWord)
}

function isChosenNumber(value: string, place: Place, shape: Value): boolean {
  const { isQuoted, isLast, isClauseEnd } = shape
  const { join, isTight, isLiteral, meaning } = place
  if (join === 'said')
    return meaning.promise === 'password' && value.length >= (isClauseEnd ? 4 : 6)
  if (join === 'beside' || join === 'cell') return false
  if (meaning.promise === 'password' && !meaning.isWeak)
    return value.length >= (isQuoted ? 4 : 5) && (isQuoted || isLiteral || isTight || isLast)
  return value.length >= 6 && (isTight || isQuoted)
}

/** `supersecret`, `mysecretpassword`: people choose these. */
const BOAST =
  /^(?:super|top|very|ultra|mega|extra|my)[-_]?(?:very|top|super|duper)?[-_]?(?:secret|secure|pass)[a-z-]*$/
/** And these, though they are words of programs too. */
const POPULAR = /^(?:admin|administrator|root|toor|guest|qwerty|letmein)$/
const NUMBERED_FIELD =
  /^(?:new|old|user|confirm|repeat|re|my|the)?[-_.]?(?:password|passwd|pass|pwd|token|secret|key|auth)[-_.]?\d{1,2}$/i
const NAME_WORDS = /^(?:pass|key|keys|auth)$/
/** `newPassword`, `API_KEY`: what programs call it, not what it is. `monkey12` is no such name. */
function isNameOfSecret(value: string): boolean {
  if (BOAST.test(value) || !/^[\w.-]+$/.test(value) || /\d{3}$|\d\D+\d/.test(value)) return false
  return (
    /passw|passphrase|secret|token|pwd|cred/i.test(value) ||
    wordsOf(value).some((word) => NAME_WORDS.test(word))
  )
}

/** A value that a person made up: a word, or one with a number or a sign in it. */
function isChosen(value: string, place: Place, shape: Value): boolean {
  const { meaning, join, isTight, isSetting } = place
  const { isQuoted, isLast } = shape
  const isPassword = meaning.promise === 'password'
  const isName =
    isNameOfSecret(value) &&
    !(isQuoted && isPassword && /\d$/.test(value) && !NUMBERED_FIELD.test(value))
  const hasDigit = /\d/.test(value)
  const hasSign = /[^\p{L}\p{N}_\s.,:;/-]/u.test(value)
  if (join === 'said' || (join === 'beside' && !isSetting))
    return !isName && isSaid(value, place, shape)
  if (join === 'cell')
    return isPassword && value.length >= 6 && !isName && (hasDigit || hasSign) && !isOrdinary(value)
  if (join === 'beside') return isLast && value.length >= 6 && !isName && !isOrdinary(value)
  if (hasSign)
    return (
      value.length >= 5 &&
      (isPassword || isSetting || hasDigit || (meaning.isSure && (isQuoted || isTight))) &&
      !/\w\.\w+\(/.test(value) &&
      (isQuoted || !/[=<>]/.test(value))
    )
  if (join === 'flag' && !place.isTight && isOrdinary(value)) return false
  if (join === 'argument')
    return (
      value.length >= 6 &&
      !isName &&
      !/^[A-Z\d]+_[A-Z\d_]+$/.test(value) &&
      ((isPassword && hasDigit) ||
        (isSetting && (isPassword || meaning.isSure) && !isLabelWord(value)))
    )
  if (isSetting && (isTight || join === 'flag'))
    return value.length >= 6 || (isPassword && value.length >= 4 && hasDigit)
  if (isName && (!isQuoted || !/\d{3}$/.test(value))) return false
  if (isPassword) return isChosenPassword(value, place, shape)
  return meaning.isSure && isChosenSecret(value, place, shape)
}

/** What people write for a machine's secret: words joined by hyphens, or with a number in them. */
function isChosenSecret(value: string, place: Place, shape: Value): boolean {
  if (value.length < 6 || isLabelWord(value)) return false
  const hasDigit = /\d/.test(value)
  if (shape.isQuoted || place.isLiteral)
    return hasDigit || /^[a-z]+(?:[-_.][a-z]+){0,30}$/.test(value)
  if (!(place.isTight ? shape.isLast || shape.isFollowed : shape.isLast) || isVersionOrFile(value))
    return false
  if (hasDigit) return value.length >= 8
  return place.isTight && place.isVariable
    ? /^[a-z]+(?:[-_.][a-z]+){0,30}$/.test(value)
    : /^[a-z]+(?:-[a-z]+){2,30}$/.test(value)
}

/** Versions and names of files. */
function isVersionOrFile(value: string): boolean {
  return /^v?\d[\d.]*$|\.(?:pem|key|pub|crt|json|ya?ml|txt|env|p12|jks)$/.test(value)
}

/** Where nothing but a value can be, anything is one; where a program may have an expression, it must not look like one. */
function isChosenPassword(value: string, place: Place, shape: Value): boolean {
  const { isTight, isLiteral, isVariable, isLabel, meaning } = place
  const { isQuoted, isFollowed, isLast } = shape
  if (isLabelWord(value)) return false
  if (/\d/.test(value)) return value.length >= 5 && (isQuoted || isLiteral || isTight || isLast)
  if (value.length < 6) return false
  if (isQuoted) return !meaning.isWeak || isVariable || place.join === 'tag' || /-/.test(value)
  if (isLiteral) return true
  if (isTight && isVariable && (isLast || isFollowed)) return true
  if (!isLast || meaning.isWeak) return false
  const parts = value.split(/[-_.:/]/)
  if (parts.length > 1) return /-/.test(value) && !parts.some(isLabelWord)
  return (
    /^\p{Ll}+$/u.test(value) ||
    (!/ed$/.test(value) && /^\p{Lu}\p{Ll}+$/u.test(value) && (isLabel || value.length >= 8))
  )
}

/** `the password is …`: in quotes, with a number, or the last word of what is said, and none that describes a password. */
function isSaid(
  given: string,
  { meaning, join }: Place,
  { isQuoted, isClauseEnd }: Value,
): boolean {
  const value = given.replace(/[.,;!?]{1,3}$/, '')
  if (value.length < 6 || /^[("'[]/.test(value) || TECHNICAL.test(value)) return false
  if (/\d/.test(value) ? isLabelWord(value.replace(/\d/g, '')) : isOrdinary(value)) return false
  if (/-\p{L}+(?:ed|ing|ive|ly|less)$/u.test(value)) return false
  const hasDigit = /\d/.test(value) && /\p{L}/u.test(value)
  if (meaning.promise !== 'password')
    return meaning.isSure && join === 'said' && hasDigit && value.length >= 8
  if (meaning.isWeak && (isQuoted || !/^\p{L}{3,40}\d{1,8}$/u.test(value))) return false
  if (isQuoted) return /^\S+$/.test(value)
  if (
    /[\p{L}\p{N}][!@#$%^&*+~?=][\p{L}\p{N}]/u.test(value) ||
    (hasDigit && /[^\w\s.,:;/-]/.test(value))
  )
    return true
  if (hasDigit)
    return join === 'said' ? /^\p{L}/u.test(value) : /^\p{L}[\p{L}-]{3,40}\d{1,8}$/u.test(value)
  return join === 'said' && isClauseEnd && !meaning.isWeak && /^[\p{L}-]+$/u.test(value)
}

/** Signs, digits and letters of both sizes with blanks between them. */
function isNoise(value: string): boolean {
  const signs = new Set(value.match(/[^\w\s.,:;'"/()-]/g) ?? []).size
  return signs >= 3 && /\d/.test(value) && /[a-z]/i.test(value) && value.length >= 12
}

/** What sentences have and passphrases have not. */
const SENTENCE =
  /\b(?:the|your|is|are|a|an|must|to|and|be|of|at|not|no|please|enter|have|has|had|than|with|for|in|or|from|by|new|confirm|choose|use|type|chars?|characters|digits|letters|too|should|can|cannot|was|were|do|does|did|don't|doesn't|same|match|old|current|repeat|forgot|reset|change)\b/i

/** Several words: a phrase that opens something, not a sentence about one. */
function isPhrase(value: string, { meaning, isSetting, isVariable }: Place): boolean {
  if (!meaning.isSure || meaning.isWeak || SENTENCE.test(value)) return false
  const words = value.split(' ')
  const isPlain = /^[a-z]+(?: [a-z]+){1,30}$/.test(value)
  if (/pass|secret|token|\bkey\b/i.test(value)) return isPlain && isVariable && words.length > 2
  if (meaning.promise === 'password' && (isSetting || /\d/.test(value)))
    return /^\S{1,40}(?: \S{1,40}){1,30}$/.test(value)
  return (
    isPlain &&
    (meaning.promise === 'secret' || isVariable || words.length > 2) &&
    words.filter(isOrdinary).length * 2 < words.length
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
  current previous prev primary secondary root user db database smtp mysql postgres redis ftp ssh mail backup encoded plain plaintext cleartext text raw string str literal`)

const PASSWORD_PAIRS = set(
  'pass-word pass-phrase pass-code seed-phrase recovery-phrase seed-words secret-phrase',
)

/** `ssh_pass`; a first or a second pass is something else. */
const PASS_OF = set(
  `db sql mysql pg user smtp imap mail ftp ssh root admin redis proxy auth login sudo become vault key cert store keystore
  truststore vpn wifi app my new old web api bind cluster backup service default server postgres mongo rabbitmq basic http`,
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
  /** `pass` alone has other meanings: of a test, of a compiler. */
  readonly isWeak: boolean
  /** Nothing but secrets is called so: `apiSecret`, unlike `storageKey`. */
  readonly isSure: boolean
}

/** A text has few names, many times. */
const known = new Map<string, NameMeaning | undefined>()
const MAX_KNOWN = 2_000

/** What a name promises; undefined for names that have nothing to do with secrets. */
function meaningOf(name: string): NameMeaning | undefined {
  if (known.has(name)) return known.get(name)
  const meaning = readName(name)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, meaning)
  return meaning
}

function readName(name: string): NameMeaning | undefined {
  const promise = promiseOf(name)
  if (!promise) return undefined
  const isWeak = promise === 'password' && /^pass$/i.test(name.replace(/[^a-z]/gi, ''))
  const isConstant = /^[A-Z][A-Z0-9_]*$/.test(name)
  // A variable that is called a token holds one.
  return {
    promise: promise === 'token' && isConstant && /TOKEN/.test(name) ? 'secret' : promise,
    isConstant,
    isWeak: isWeak && !isConstant,
    isSure:
      promise === 'password' ||
      /(?:secret|api[_-]?key|(?:secret|private|access|master|signing|encryption)[_-]?key|(?:access|auth|api|bot|bearer|refresh|private|secret|session|personal)[_-]?token)$/i.test(
        name,
      ),
  }
}

function promiseOf(name: string): Promises | undefined {
  if (FOREIGN.test(name)) return 'password'
  if (/токен|секрет|ключ|密钥|密鑰|令牌|schlüssel/i.test(name)) return 'token'
  const words = wordsOf(name)
  while (words.length > 1 && (TRAILING.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? '')))
    words.pop()
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (
    PASSWORD.test(last) ||
    last === 'pw' ||
    last === 'psk' ||
    last === 'clave' ||
    last === 'mdp' ||
    (last === 'pass' && (before === '' || PASS_OF.has(before))) ||
    PASS.test(last) ||
    PASSWORD_PAIRS.has(`${before}-${last}`)
  )
    return 'password'
  if (HARMLESS.has(before)) return undefined
  if (SECRET.test(last) || last === 'pass') return 'secret'
  if (last === 'key')
    return KEYS.has(before) ? 'secret' : /\w[_-]key|[a-z]Key/i.test(name) ? 'token' : undefined
  if (last === 'token') return TOKENS.has(before) ? 'secret' : 'token'
  if (
    /^(?:creds?|credentials?|csrf|xsrf|auth|authorization|authentication|sig|signature|jwt|hmac|salt|pepper|appid)$/.test(
      last,
    )
  )
    return 'token'
  if (/(?:token|apikey)$/.test(last)) return 'token'
  return COOKIE.test(name) ? 'token' : undefined
}

const HEADER = /(?:^|[,;|\t"' ])(?:[\w ]{0,20}(?:passw|pwd|secret))/i
/** Rows below a header that are looked at; nobody pastes more people than this. */
const MAX_ROWS = 500
const MAX_LINE = 600

interface Cell {
  readonly start: number
  readonly text: string
}

/** Lists with a header, separated by commas, tabs or bars: what is below `password` is one. */
export function findColumns(text: string): Span[] {
  const found: Span[] = []
  if (!HEADER.test(text)) return found
  let columns: { readonly count: number; readonly index: number; rows: number } | undefined
  let delimiter = ','
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = end - at > MAX_LINE ? '' : text.slice(at, end)
    const header = headerOf(line)
    if (header) {
      delimiter = header.delimiter
      columns = { ...header, rows: 0 }
    } else if (columns && line !== '') {
      const cells = cellsOf(line, delimiter, at)
      const cell = cells[columns.index]
      if (cells.length !== columns.count || columns.rows++ > MAX_ROWS) columns = undefined
      else if (cell && isColumnSecret(cell.text))
        found.push({ start: cell.start, end: cell.start + cell.text.length, kind: 'password' })
    } else columns = undefined
    at = end + 1
  }
  return found
}

function headerOf(line: string): { delimiter: string; count: number; index: number } | undefined {
  if (!HEADER.test(line)) return undefined
  const delimiter = ['\t', '|', ';', ','].find((sign) => line.includes(sign))
  if (!delimiter) return undefined
  const cells = cellsOf(line, delimiter, 0)
  if (cells.length < 2 || !cells.every(({ text }) => /^[A-Za-z][\w .-]{0,40}$|^$/.test(text)))
    return undefined
  const index = cells.findIndex(({ text }) => meaningOf(text)?.promise === 'password')
  const isOfPeople = cells.some(({ text }) =>
    /^(?:user|login|e-?mail|name|host|account)/i.test(text),
  )
  return index < 0 || !isOfPeople ? undefined : { delimiter, count: cells.length, index }
}

function cellsOf(line: string, delimiter: string, from: number): Cell[] {
  let start = from
  return line.split(delimiter).map((cell) => {
    const text = cell.trim().replace(/^["'`](.{0,500})["'`]$/, '$1')
    const at = start + Math.max(0, cell.indexOf(text))
    start += cell.length + delimiter.length
    return { start: at, text }
  })
}

function isColumnSecret(value: string): boolean {
  if (value.length < 4 || value.length > 200 || /\s/.test(value) || isPlaceholder(value))
    return false
  return !/^[-:=*$%<{[]/.test(value) && !isLabelWord(value)
}
