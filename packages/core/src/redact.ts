import { findPrivateKeys } from './files/private-keys.ts'
import { findCommandSecrets } from './secrets/commands.ts'
import { isGenerated, isPlaceholder, isRandom } from './secrets/generated.ts'
import { findKnownForms, findWebTokens } from './secrets/known-forms.ts'
import { findColumns, findNamedValues } from './secrets/named-values.ts'
import { findLongRuns, hideSpans, type Run, type Span } from './secrets/span.ts'

const SQL =
  /\b(?:identified\s{1,5}(?:with\s{1,5}\w{1,40}\s{1,5})?by\s{1,5}|with\s{1,5}password\s{1,3}=\s{0,3}|=\s{0,3}password\s{0,3}\(|password\s{1,5}|set\s{1,5}password\s{1,3}=\s{1,5})'(?<secret>[^'\n]{3,200})'/gi
/** As curl and git keep it in a file of their own. */
const NETRC =
  /\b(?:machine\s{1,5}\S{1,200}|default)\s{1,5}login\s{1,5}\S{1,200}\s{1,5}password\s{1,5}(?<secret>\S{3,200})/g
/** As PostgreSQL keeps it in a file of its own: host, port, database, user, password. */
const PGPASS =
  /^(?:\*|localhost|[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}):(?:\d{4,5}|\*):[^\s:\d][^\s:]{0,60}:[^\s:]{1,60}:(?<secret>[^\s:]{4,200})$/gm
/** What a pipe or a here-string gives to a program that reads a password from its input. */
const PIPED =
  /\b(?:echo|printf)\s{1,3}(?:-[neE]{1,3}\s{1,3})?["']?(?<secret>[^\s"'|$]{4,400})["']?\s{0,3}\|\s{0,3}(?=[^\n|]{0,200}(?:-stdin\b|--with-token|\bsudo\s-S|\b(?:ch)?passwd\b|\bsecrets?[ :](?:put|set|create|add|versions)|\bcryptsetup\b|\bkinit\b|--passphrase-fd|\benv\sadd\b|--data-file=-|\bansible-vault\b|\bgpg\b))/g
const HERE_STRING =
  /(?:-stdin\b|\bcryptsetup\b|\bkinit\b|\bchpasswd\b|\benv\sadd\b|--with-token|\bsudo\s-S\b|--passphrase-fd|\bsecrets?[ :](?:put|set|create|add)\b)[^\n<]{0,200}<<<\s?["']?(?<secret>[^\s"'$]{4,400})/g
/** What a file that is made on the spot gives to an option for a secret. */
const SUBSTITUTED =
  /-(?:[\w-]{0,20}(?:pass|secret|token|key)[\w-]{0,20})[ =]<\(\s?(?:echo|printf)\s{1,3}(?:-n\s)?["']?(?:\w{1,40}(?:\\n|\s{2}|\n))?(?<secret>[^\s"')$]{4,400})/g
/** What is typed into a field for a password. */
const TYPED_IN =
  /["'`][^"'`\n]{0,60}passw(?:or)?d["'\]`]{0,3}\)?\s?\)?\.(?:send_?keys|sendKeys|type|fill|setValue|set_value|typeText|clear_and_type|set|val)\(\s?["'`](?<secret>[^"'`\s]{5,200})["'`]/gi
const FILLED_IN =
  /\b(?:fill|type|setValue|typeText|sendKeys|fill_in|fillField)\(\s?["'`](?:[^\n,"'`]|["'](?=passw)){0,60}passw[^\n,]{0,30}["'`]\s?,\s?(?:with:\s)?["'`](?<secret>[^"'`\s]{5,200})["'`]/gi
/** `{ user: '…', pass: '…' }`: alone, `pass` has other meanings. */
const USER_THEN_PASS =
  /\b(?:user(?:name)?|login|email)["']?\s{0,3}(?::|=>?)\s{0,3}["'][^"'\n]{1,100}["'],?\s{0,40}["':]?pass["']?\s{0,3}(?::|=>?)\s{0,3}["'](?<secret>[^"'\n]{4,200})["']/gi
const AUTH_CALL =
  /\.auth\(\s?["'](?!basic|bearer|digest|required|jwt)(?<secret>[^"'\s]{6,200})["']\s?\)/gi
/** `… is the password`: the word before it is. */
const IS_PASSWORD =
  /[ \t](?:is|was)[ \t]{1,3}(?:the|my|our|its)[ \t]{1,3}(?:\w{1,12}[ \t]{1,3})?(?:password|passphrase|pw|pwd)\b/gi
/** `use … as the password`. */
const AS_PASSWORD =
  /\b(?:with|use|using|set|put|take|try)\s{1,3}["'`]?(?<secret>(?=\D{1,60}\d)[^\s"'`$<{]{6,60})["'`]?\s{1,3}(?:as|for)\s{1,3}(?:(?:the|my|your|its|our|a)\s{1,3})?(?:\w{1,12}\s{1,3})?(?:password|passphrase|pw|pwd)\b/gi
const SECURE_STRING =
  /\bConvertTo-SecureString\s{1,3}(?:-\w{1,12}\s{1,3}){0,3}["'](?<secret>[^"'$\n]{4,200})["']/gi
/** The second of a pair whose first is the user. */
const PAIR =
  /\b(?:(?:http_?)?basic_?auth|auth|credentials|login|authenticate|signIn|PasswordAuthentication|basic|\w{0,40}Credentials?|AuthenticationToken)["']?\s{0,3}(?:[=:]\s{0,3})?[([{]{1,2}\s{0,5}["'][^"'\n]{1,100}["']\s{0,3},\s{0,5}["'](?<secret>[^"'\s]{6,200})["']/gi
/** What clients are constructed with beside the id of an account. */
const CONSTRUCTED =
  /\b\w{0,40}(?:Client|Auth|Api|API|SDK|Sdk|twilio|Twilio|Pusher)(?:["']\))?\(\s{0,5}["'][\w.@:/-]{1,100}["']\s{0,3},\s{0,5}["'](?<secret>(?=\D{0,20}\d)[\w+/=-]{20,200})["']/g
/** `secrets set NAME=value`: whatever the name is. */
const SECRETS_SET =
  /\bsecrets?\s(?:set|put|create|add)\s(?:[^\n=|]{1,200}\s)?[A-Za-z_]\w{1,60}=["']?(?<secret>[^\s"'$]{4,400})/g
/** What opens a database or signs a text, by its place among the arguments. */
const CONNECTED =
  /\b(?:getConnection|mysqli(?:_connect)?|PDO|Sequelize|connect|\w{0,20}(?:FTP|SMTP|IMAP4?|POP3|SSH|LDAP|Telnet)(?:Client|_TLS|_SSL|S)?)\(\s{0,5}(?:["'][^"'\n]{1,200}["']|[\w.$]{1,60})\s{0,3},\s{0,5}["'][\w.@-]{1,60}["']\s{0,3},\s{0,5}["'](?<secret>[^"'\s]{4,200})["']/g
const CONNECTING = [
  'onnect',
  'mysqli',
  'PDO',
  'Sequelize',
  'FTP',
  'SMTP',
  'IMAP',
  'POP3',
  'SSH',
  'LDAP',
  'Telnet',
]
/** A text that a key is made of. */
const KEY_OF =
  /\b(?:SecretKeySpec|hmacShaKeyFor|SymmetricSecurityKey|SigningKey|new_from_secret)\((?:Encoding\.\w{1,10}\.GetBytes\()?\s{0,3}["'](?<secret>[^"'\s]{6,200})["']/g
const SIGNED =
  /\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|hmac\.new|hash_hmac|signWith|HMAC\w{0,10})\([^,\n]{1,200},\s{0,5}b?["'](?<secret>[^"'\s]{6,200})["']/g
/** Whatever the program is called. */
const USER_AND_PASSWORD =
  /\s(?:-u|--user(?:name)?)[ =][^\s=]{1,60}\s{1,3}-p[ =]?["']?(?<secret>(?![\d.:/]{1,60}(?:\s|$))[^\s"'$<{=-][^\s"']{3,200})/g
const ORACLE = /\bjdbc:oracle:\w{1,10}:[\w$#]{1,60}\/(?<secret>[^\s@"']{3,100})@/g
/** What a service hands out in an address and takes once. */
const CODE =
  /[?&](?:code|ticket|otp|assertion|id_token_hint|magic|invite)=(?<secret>[\w.~%+/-]{16,2000})/g
/** `the admin login is ada / …`, `creds: ada:…`, as people tell them to each other. */
const TOLD =
  /\b(?:log ?in|log ?on|sign ?in|creds?|credentials|zugang(?:sdaten)?|acceso|accès|dostęp|account|user(?:name)?\/pass(?:word|wd)?|identifiants|credenciales|wi-?fi|wlan|ssid|доступы?|логин\/пароль)["'*_`]{0,2}(?:[ \t]{1,3}(?!is\b|are\b|as\b|with\b)[\p{L}\d_-]{1,20}){0,4}[ \t]{0,3}(?:[:=]|is|are|as|with|sind|son|sont)[ \t]{1,3}["'`*]{0,2}(?<user>[\w.@+-]{2,60})["'`*]{0,2}(?<join>[ \t]?[:/|,][ \t]?|[ \t](?:and|und|y|et)[ \t])["'`*]{0,2}(?<secret>[^\s"'`*/,|]{4,100})(?=["'`*.,;!)]{0,3}(?:\s|$))/giu
/** `ada:…@tcp(db:3306)` and `ada:…@proxy:3128`, without a scheme. */
const SCHEMELESS =
  /(?<![\w:/.@[-])[\w.-]{1,40}:(?<secret>[^\s:@/"'`[\]]{4,100})@(?:(?:tcp|unix)\(|[A-Za-z\d][\w.-]{0,100}:\d{2,5}\b)/g
/** As a client of Redis is told it. */
const AUTH_COMMAND =
  /^(?:[\w.:[\]-]{1,60}> ?)?AUTH (?:[\w-]{1,40} )?(?<secret>(?=\D{0,60}\d)\S{6,200})$/gm
/** `user:password` on its way into base64. */
const ENCODED =
  /\b(?:btoa|b64encode|base64_encode|encodeToString|Buffer\.from|encode64|EncodeToString|GetBytes)\(\s?(?:\[\]byte\()?b?["'`][\w.@+-]{1,60}:(?<secret>[^"'`\s$]{4,200})["'`]/g
/** As routers and switches are configured. */
const ROUTER =
  /^[ \t]{0,8}(?:enable[ \t](?:secret|password)|username[ \t]\S{1,60}[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:secret|password)|snmp-server[ \t]community|key-string|pre-shared-key(?:[ \t]\w{1,20}){0,3}|(?:tacacs|radius)-server[ \t]key)[ \t](?:[0-9][ \t])?(?<secret>[^\s"']{5,200})/gm
/** A user and a password alone on a line, the password of signs of every kind. */
const PAIR_LINE =
  /^[ \t]{0,8}[\w.@-]{2,60}[ \t]?[:/][ \t]?(?<secret>(?=[^\n]{0,60}[a-z])(?=[^\n]{0,60}[A-Z])(?=[^\n]{0,60}\d)(?=[^\n]{0,60}[!$%^&*?+~@#])[A-Za-z][\w!$%^&*?+~@#-]{7,40})[ \t]{0,3}$/gm
const OTP = /otpauth:\/\/[^\s"'?]{1,200}\?[^\s"']{0,200}?secret=(?<secret>[A-Z2-7]{10,200})/gi
const COOKIE_HEADER =
  /(?<![\w.-])(?:set-)?cookie2?["']?[ \t]{0,3}:[ \t]{0,3}["']?(?=[^\n=]{1,80}=)(?<cookies>[^\n"']{8,4000})/gi
const COOKIE = /(?:^|;)[ \t]{0,3}(?<name>[^=;\s]{1,100})=(?<value>[^;\s]{6,4000})/g
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|version|priority|comment|lang|locale|theme|_ga.*|_gid)$/i
const SESSION_NAME = /sess|sid|auth|token|jwt|csrf|xsrf|remember|login|user|secret|id$/i
const MANIFEST = /^[ \t]{0,8}["']?kind["']?:[ \t]{0,3}["']?Secret["']?,?[ \t]{0,3}\r?$/gm
const DATA = /^[ \t]{0,8}["']?(?:data|stringData)["']?:[ \t]{0,3}\{?[ \t]{0,3}\r?\n/gm
const DATA_LINE =
  /([ \t]{1,20})["']?[\w.-]{1,200}["']?:[ \t]{1,3}["']?(?<value>[^\s"',{}|>][^\n"']{2,4000}|)["']?,?[ \t]*\r?(?:\n|$)/y

const RUN_END = /[\s"'`<>\\|]/
const MAX_URL = 2_000
const HOST = /(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,100})(?::\d{1,5})?(?=[/?#,;)\]}\s"'`<>\\|]|$)/y
const WEB = /(?:^|[^a-z])(?:https?|wss?)$/i

const MIN_LENGTH = 32
const RANDOM = /(?<![\w+/=.:@%-])[\w+/-]{32,256}={0,2}(?![\w+/=%-])/g
/** Pictures, checksums of packages, ids of calls, places in a list and public keys are random, and no secret. */
const HARMLESS_PLACE =
  /(?:base64,|sha\d{3}-|sha256[=:] ?"?|pubkey\w{0,6} ?= ?["']?|integrity"?: ?"?|hash["']? ?[:=] ?["']?|toolu_|call_|msg_|req_|d="|checksum"?[:=] ?"?|\bM[\d.]|(?:page|next|continuation|cursor|sync)_?token["']? ?[:=] ?["']?|"(?:x|y|n|x5t|x5c|kid)" ?: ?\[?"|public_?key["']? ?[:=] ?["']?)$/i
const PUBLIC_KEY =
  /(?<![\w-])(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]{1,30}|sk-(?:ssh|ecdsa)-[\w@.-]{1,60}) AAAA[\w+/]{20,}={0,2}/g
const DATA_URL = /data:[\w/+.-]{0,80}(?:;[\w=-]{1,40}){0,4};base64,[\w+/=-]{1,}/g

/** Raised when more is taken out: what is stored is looked through again. */
export const REDACTION_RULES = 5

/** As far behind a cut as a secret is looked for that begins before it. */
const REACH = 4_000

/** Text as it may be kept: secrets become `[redacted:kind]`. Takes time in proportion to the text, whatever is in it. */
export function redact(text: string): string {
  return text.length < 8 ? text : hideSpans(text, findSecrets(text))
}

/**
 * The beginning of a text, redacted, without reading the rest: for logs and previews. A secret that the cut goes through
 * is recognized as a whole, and nothing behind the cut is shown.
 */
export function redactBeginning(text: string, length: number): string {
  if (text.length <= length) return redact(text)
  const read = text.slice(0, length + REACH)
  return hideSpans(read, findSecrets(read), length)
}

/** The same for every text inside a value. */
export function redactIn<T>(value: T): T
export function redactIn(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((one) => redactIn(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactIn(one)]))
}

/** Every finder reads the text once; the surest comes first. */
function findSecrets(given: string): Span[] {
  const text = withLineEnds(given)
  const runs = findLongRuns(text)
  const open = findPublicTexts(text)
  const isHidden = (span: Span) => !isWithin(span, open)
  return [
    ...findPrivateKeys(text),
    ...findWebTokens(text).filter(isHidden),
    ...findKnownForms(text, runs).filter(isHidden),
    ...findUrlSecrets(text),
    ...findCommandSecrets(text),
    ...findNotations(text),
    ...findColumns(text),
    ...findNamedValues(text),
    ...findPairLines(text),
    ...findRandom(text, runs).filter(isHidden),
  ]
}

/** Escaped ends of lines as ends of lines, with as many signs, so that what is found is where it was. */
function withLineEnds(text: string): string {
  return text.includes('\\') ? text.replace(/\\[nrt]/g, ' \n') : text
}

/** Texts that look random and have no name beside them. */
function findRandom(text: string, runs: readonly Run[]): Span[] {
  const found: Span[] = []
  for (const run of runs) {
    if (run.end - run.start < MIN_LENGTH) continue
    const from = Math.max(0, run.start - 1)
    for (const match of text.slice(from, run.end + 1).matchAll(RANDOM)) {
      const [value] = match
      const start = from + match.index
      const kind = derKind(value)
      if (kind === 'public' || (!kind && (!isRandom(value) || isHarmlessPlace(text, start))))
        continue
      found.push({ start, end: start + value.length, kind: kind ?? 'random' })
    }
  }
  return found
}

function isHarmlessPlace(text: string, at: number): boolean {
  return HARMLESS_PLACE.test(text.slice(Math.max(0, at - 32), at))
}

/** Keys and certificates in base64 without their frame: a private key has its version first, a public one a sequence. */
function derKind(value: string): 'private-key' | 'public' | undefined {
  if (!/^M[A-I]/.test(value)) return undefined
  const bytes = Buffer.from(value.slice(0, 24), 'base64')
  if (bytes[0] !== 0x30) return undefined
  const length = bytes[1] ?? 0
  const at = length > 0x80 ? 2 + (length & 0x7f) : 2
  if (length === 0 || at > 5) return undefined
  if (bytes[at] === 0x02 && bytes[at + 1] === 0x01) return 'private-key'
  return bytes[at] === 0x30 && (length > 0x80 || value.length > 40) ? 'public' : undefined
}

/** What is made to be given away: certificates, public keys and pictures. */
function findPublicTexts(text: string): Span[] {
  const found: Span[] = []
  const add = (pattern: RegExp) => {
    for (const { index, 0: whole } of text.matchAll(pattern))
      found.push({ start: index, end: index + whole.length, kind: 'public' })
  }
  if (text.includes(' AAAA')) add(PUBLIC_KEY)
  if (text.includes(';base64,')) add(DATA_URL)
  let at = text.indexOf('-----BEGIN ')
  while (at >= 0) {
    const label = text.slice(at + 11, at + 60)
    const end = text.indexOf('-----END ', at)
    if (end < 0) break
    if (/^[A-Z0-9 ]{3,40}-----/.test(label) && !label.includes('PRIVATE'))
      found.push({ start: at, end: end + 9, kind: 'public' })
    at = text.indexOf('-----BEGIN ', end)
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Whether a span lies in one of these, which are sorted. */
function isWithin({ start, end }: Span, stretches: readonly Span[]): boolean {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.start ?? 0) <= start) low = middle + 1
    else high = middle
  }
  const stretch = stretches[low - 1]
  return stretch !== undefined && end <= stretch.end
}

/** The passwords of URLs, also with `/` and `@` in them, and tokens that stand in a user's place. */
function findUrlSecrets(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('://'); at >= 0; ) {
    const next = text.indexOf('://', at + 3)
    // No further than to the next address, so that every sign is read once.
    const end = endOfUrl(text, at + 3, next < 0 ? text.length : next)
    const secret = credentialsIn(text, at, at + 3, end)
    if (secret) found.push(secret)
    at = next
  }
  return found
}

function endOfUrl(text: string, from: number, limit: number): number {
  const last = Math.min(limit, from + MAX_URL)
  let end = from
  while (end < last && !RUN_END.test(text[end] ?? '')) end++
  return end
}

function credentialsIn(text: string, scheme: number, from: number, end: number): Span | undefined {
  const url = text.slice(from, end)
  if (url.startsWith('[redacted')) return undefined
  const ats = placesOf(url, '@').filter((at) => isHostAt(text, from + at + 1))
  if (ats.length === 0) return undefined
  const pathAt = url.search(/[/?#]/)
  const authority = pathAt < 0 ? url : url.slice(0, pathAt)
  const colon = authority.indexOf(':')
  const last = lastAt(url, ats, authority, WEB.test(text.slice(Math.max(0, scheme - 12), scheme)))
  if (last === undefined) return undefined
  if (colon < 0 || colon > last) return tokenSpan(url.slice(0, last), from)
  const password = url.slice(colon + 1, last)
  const user = url.slice(0, colon)
  if (/^[$%{<[*]|^\.{3}|^(?:x-oauth-basic|x|)$/.test(password)) return tokenSpan(user, from)
  if (password.length < 3 || /^(?:password|passwd|pass|pwd|secret|token)$/i.test(password))
    return undefined
  return { start: from + colon + 1, end: from + last, kind: 'password' }
}

/** Where the host begins: the last `@` of the authority, or a later one if the password goes on behind a slash. */
function lastAt(
  url: string,
  ats: readonly number[],
  authority: string,
  isWeb: boolean,
): number | undefined {
  const strict = ats.filter((at) => at < authority.length).at(-1)
  const loose = ats.at(-1)
  if (strict === undefined) {
    // `host:3000/@scope` has a port; `user:p/ss@host` has none.
    const afterColon = /:([^:]*)$/.exec(authority.slice(-200))?.[1]
    return afterColon === undefined || /^\d{0,5}$/.test(afterColon) ? undefined : loose
  }
  const host = authority.slice(strict + 1)
  const isHost = /\.|:\d|^localhost$/.test(host)
  return isWeb && isHost ? strict : isHost && !url.slice(0, strict).includes(':') ? strict : loose
}

function isHostAt(text: string, at: number): boolean {
  HOST.lastIndex = at
  return HOST.test(text)
}

function tokenSpan(user: string, from: number): Span | undefined {
  return isGenerated(user, 16) ? { start: from, end: from + user.length, kind: 'token' } : undefined
}

function placesOf(text: string, sign: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) places.push(at)
  return places
}

/** What other notations hold: SQL, one-time passwords and the headers of cookies. */
function findNotations(text: string): Span[] {
  const found: Span[] = []
  const add = (pattern: RegExp, kind: string, ...signs: readonly string[]) => {
    if (signs.length > 0 && !signs.some((sign) => text.includes(sign))) return
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? ''
      if (isPlaceholder(secret) || /^(?:password|passwd|pass|pwd|secret|token)$/i.test(secret))
        continue
      const start = match.index + match[0].lastIndexOf(secret)
      found.push({ start, end: start + secret.length, kind })
    }
  }
  add(SQL, 'password')
  add(NETRC, 'password')
  add(OTP, 'secret')
  add(PGPASS, 'password')
  add(ENCODED, 'password', ':')
  add(ROUTER, 'password', 'secret ', 'password ', 'community ', 'key')
  add(SCHEMELESS, 'password', '@')
  add(AUTH_COMMAND, 'password', 'AUTH ')
  add(ORACLE, 'password', 'jdbc:oracle')
  found.push(...findToldPairs(text))
  for (const match of text.includes('=') ? text.matchAll(CODE) : []) {
    const secret = match.groups?.secret ?? ''
    const end = match.index + match[0].length
    if (isGenerated(secret, 16)) found.push({ start: end - secret.length, end, kind: 'token' })
  }
  add(PIPED, 'password', 'echo', 'printf')
  add(HERE_STRING, 'password', '<<<')
  add(SUBSTITUTED, 'password', '<(')
  add(TYPED_IN, 'password', '.send', '.type', '.fill', '.set', '.val', '.clear')
  add(FILLED_IN, 'password', 'fill', 'type', 'setValue', 'sendKeys')
  add(USER_THEN_PASS, 'password', 'pass')
  add(AUTH_CALL, 'password', '.auth(')
  for (const { index } of text.matchAll(IS_PASSWORD)) {
    const secret = wordBefore(text, index)
    if (secret) found.push({ ...secret, kind: 'password' })
  }
  add(AS_PASSWORD, 'password', ' as ', ' for ')
  add(SECURE_STRING, 'password', 'SecureString', 'securestring')
  add(PAIR, 'password')
  add(
    CONSTRUCTED,
    'secret',
    'Client(',
    'Auth(',
    'Api(',
    'API(',
    'SDK(',
    'Sdk(',
    'twilio',
    'Twilio(',
    'Pusher(',
  )
  add(CONNECTED, 'password', ...CONNECTING)
  add(SIGNED, 'secret', 'jwt.', 'mac', 'signWith', 'HMAC')
  add(KEY_OF, 'secret', 'Key')
  add(USER_AND_PASSWORD, 'password', ' -p')
  add(SECRETS_SET, 'secret', 'secret ', 'secrets ')
  found.push(...findManifestSecrets(text))
  for (const header of text.matchAll(COOKIE_HEADER)) {
    const cookies = header.groups?.cookies ?? ''
    const base = header.index + header[0].length - cookies.length
    for (const cookie of cookies.matchAll(COOKIE)) {
      const { name = '', value = '' } = cookie.groups ?? {}
      if (ATTRIBUTE.test(name) || isPlaceholder(value) || /^[$<{[]/.test(value)) continue
      if (
        !SESSION_NAME.test(name) &&
        !(value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value))
      )
        continue
      const start = base + cookie.index + cookie[0].length - value.length
      found.push({ start, end: start + value.length, kind: 'cookie' })
    }
  }
  return found
}

function wordBefore(text: string, at: number): Run | undefined {
  let start = at
  while (start > 0 && start > at - 62 && !/[\s"'`({<$]/.test(text[start - 1] ?? '')) start--
  const end = /["'`]/.test(text[at - 1] ?? '') ? at - 1 : at
  const word = text.slice(start, end)
  return word.length >= 6 && /\p{L}/u.test(word) && /\d/.test(word) && !isPlaceholder(word)
    ? { start, end }
    : undefined
}

function findPairLines(text: string): Span[] {
  return Array.from(text.matchAll(PAIR_LINE), ({ index, 0: line, groups }) => {
    const secret = groups?.secret ?? ''
    const start = index + line.lastIndexOf(secret)
    return { start, end: start + secret.length, kind: 'password' }
  })
}

const PEOPLE =
  /^(?:admin|administrator|root|test|tester|demo|guest|user\d?|sa|postgres|dev|qa|staging|support)$|@/i

/** A user and a password in a sentence; two words with a slash between them have other meanings. */
function findToldPairs(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(TOLD)) {
    const { user = '', join = '', secret: told = '' } = match.groups ?? {}
    const secret = told.replace(/[.,;!)]{1,3}$/, '')
    if (isPlaceholder(secret) || /^[$%<{[(]|^(?:pass|pwd|secret|token)|https?:/i.test(secret))
      continue
    const isMade = /\d/.test(secret) && /\p{L}/u.test(secret) && !/^v?\d[\d.]*$/.test(secret)
    const isWord =
      PEOPLE.test(user) && secret.length >= 6 && join !== '/' && !/^[,]|and|und|et/.test(join)
    if (!isWord && !(isMade && secret.length >= 6)) continue
    const start = match.index + match[0].lastIndexOf(told)
    found.push({ start, end: start + secret.length, kind: 'password' })
  }
  return found
}

/** Every value of a Kubernetes secret, whatever it is called. */
function findManifestSecrets(text: string): Span[] {
  const found: Span[] = []
  let done = 0
  if (!text.includes('Secret')) return found
  for (const { index } of text.matchAll(MANIFEST)) {
    const before = text.lastIndexOf('\n---', index)
    const after = text.indexOf('\n---', index)
    const from = Math.max(before, done, index - 4_000)
    const to = Math.min(after < 0 ? text.length : after, index + 60_000)
    done = Math.max(done, to)
    if (from >= to) continue
    const manifest = text.slice(from, to)
    for (const block of manifest.matchAll(DATA)) {
      DATA_LINE.lastIndex = block.index + block[0].length
      for (let line = DATA_LINE.exec(manifest); line; line = DATA_LINE.exec(manifest)) {
        const value = line.groups?.value ?? ''
        if (value.length < 4 || /^[$<{[]/.test(value) || isPlaceholder(value)) continue
        const start = from + line.index + line[0].lastIndexOf(value)
        found.push({ start, end: start + value.length, kind: 'secret' })
      }
    }
  }
  return found
}
