import { wordsOf } from './generated.ts'

/**
 * How much a name says about the value beside it:
 * - `password`: people choose these, so any value counts that is no reference, placeholder or word of a form;
 * - `secret`: machines make these, people name settings after them;
 * - `token`: the word has other uses, so the value must look as if a machine made it.
 */
export type Promises = 'password' | 'secret' | 'token'

const set = (text: string) => new Set(text.trim().split(/\s+/))

/** Words behind the one that counts: `API_KEY_PROD`, `secret_key_base`, `password2`. */
const TRAILING = set(`
  prod production prd dev development staging stage stg test testing live local uat qa base value default main old new
  current previous prev primary secondary backup encoded plain plaintext cleartext text raw string str literal`)
const PASSWORD =
  /(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|pwd|mnemonic|requirepass|masterauth|bindpw|rootpw|passe|passord|contraseñ?n?a|senha|wachtwoord|heslo|hasło|haslo|parola|salasana|lösenord|losenord|adgangskode|[şs]ifre|jelszó|jelszo|lozinka)$/
const PASSWORD_PAIRS = set(
  'pass-word pass-phrase pass-code seed-phrase recovery-phrase seed-words secret-phrase',
)
const SECRET =
  /(?:^|[a-z])(?:secret|secretkey|apikey|accesskey|privatekey|authkey|masterkey|authtoken|accesstoken|refreshtoken|apitoken|bottoken|clientsecret)$/
const PASS =
  /^(?:db|sql|mysql|pg|user|smtp|imap|mail|ftp|ssh|store|key|root|admin|redis|http|proxy|auth|login|my|new|old)?pass$/
/** Words with letters that the words of programs do not have. */
const FOREIGN =
  /парол|密码|密碼|パスワード|暗証番号|비밀번호|סיסמה|รหัสผ่าน|contraseña|hasło|lösenord|şifre|jelszó|mật khẩu/i
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
/** Cookies of sessions, spelled as the frameworks spell them; other ids of sessions open nothing. */
const COOKIE =
  /^(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]*|ASP\.NET_SessionId|connect\.sid|sessionid|sid|[a-z_]{0,40}_sess(?:ion)?)$/

export interface NameMeaning {
  readonly promise: Promises
  /** As environment files write it: `DB_PASS`. */
  readonly isConstant: boolean
  /** Nothing but secrets is called so: `apiSecret`, unlike `storageKey`. */
  readonly isSure: boolean
}

/** What a name promises; undefined for names that have nothing to do with secrets. */
export function meaningOf(name: string): NameMeaning | undefined {
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
