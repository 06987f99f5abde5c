import { hideEncodedKeys } from './files/private-keys.ts'

/** Raised when more is taken out: what is stored is looked through again. */
export const REDACTION_RULES = 1

const IN_URL = /(\b[a-z][\w+.-]*:\/\/[^\s:/@'"]{0,80}:)[^\s/@'"]{3,200}(?=@)/gi

/** What each kind of secret looks like. A pattern's first group, where it has one, stays. */
const PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'private-key',
    /-{4,5} ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}[\s\S]*?(?:-{4,5} ?END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}|$)/g,
  ],
  ['private-key', /\bPuTTY-User-Key-File-\d[\s\S]*?(?:Private-(?:MAC|Hash): ?[\da-f]*|$)/g],
  ['private-key', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['jwt', /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,}\.[\w-]{8,}/g],
  ['aws-key', /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g],
  ['github-token', /\b(?:gh[pousr]_\w{30,}|github_pat_\w{22,})/g],
  ['gitlab-token', /\bgl(?:pat|dt|ptt|rt|cbt|soat|ft|imt|agent)-[\w-]{20,}/g],
  ['slack-token', /\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{20,}/g],
  ['slack-webhook', /(https:\/\/hooks\.slack\.com\/services\/)[\w/]{20,}/g],
  ['api-key', /\bsk-(?:ant-|proj-|svcacct-|or-v1-)?[\w-]{20,}/g],
  ['google-key', /\bAIza[\w-]{35}\b|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/g],
  ['stripe-key', /\b(?:sk|rk|pk)_(?:live|test)_\w{16,}|\bwhsec_\w{24,}/g],
  [
    'token',
    /\b(?:npm_\w{36}|pypi-[\w-]{40,}|hf_\w{30,}|dop_v1_[\da-f]{64}|shp(?:at|ca|pa|ss)_[\da-f]{32}|lin_api_\w{30,}|sntrys_[\w=+/]{30,}|dapi[\da-f]{32}|SG\.[\w-]{16,}\.[\w-]{30,}|sq0(?:atp|csp)-[\w-]{20,}|glsa_\w{30,}|hvs\.[\w-]{20,}|dckr_pat_[\w-]{20,}|r8_\w{30,}|pat-(?:na|eu)1-[\da-f-]{30,}|fo1_[\w-]{30,}|nfp_\w{30,}|figd_[\w-]{30,}|secret_\w{40,}|EAA\w{60,})/g,
  ],
  [
    'token',
    /\b(?:ATATT3[\w=-]{50,}|PMAK-[\da-f-]{40,}|NRAK-[A-Z\d]{27}|rubygems_[\da-f]{48}|sbp_[\da-f]{40}|key-[\da-f]{32}|SK[\da-f]{32}|gsk_\w{40,}|xai-\w{40,}|pplx-\w{40,}|tskey-[a-z]+-[\w-]{20,})/g,
  ],
  ['token', /\b\d{8,10}:AA[\w-]{33}\b/g],
  ['password', IN_URL],
  [
    'token',
    /(\b(?:Authorization|Proxy-Authorization)["']?\s*[:=]\s*["']?(?:Bearer|Basic|Token)\s+)[\w.~+/=-]{12,}/gi,
  ],
  ['token', /(\bBearer\s+)(?=[\w.~+/-]*\d)[\w.~+/-]{20,}=*/g],
  ['account-key', /(\b(?:AccountKey|SharedAccessKey|sig)=)[\w+/%]{30,}=*/g],
]

const NAMED =
  /(["']?\b[\w.-]{0,60}(?:passw(?:or)?d|passphrase|pwd|secret[_-]?key|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|private[_-]?key|encryption[_-]?key|_token|-token)["']?\s{0,20}(?::|=|\s(?=\S{0,200}\d))\s{0,20}["']?)([^\s"',;&|<>)}\]]{8,200})/gi
const FLAGGED =
  /(\s--(?:password|passwd|token|secret|api-key|auth-token)[= ]["']?)([^\s"'-][^\s"']{5,})/gi
/** Most texts have none of these, and looking for them is quicker than for the whole. */
const NAMES = /passw|passphrase|pwd|secret|key|token/i
const LONG = /[\w+/-]{32}/
/** Names, examples and references to where the secret is. */
const HARMLESS =
  /^(?:[$%{<[(*]|process\.|os\.|env\.|import\.|config\.|settings\.|this\.|self\.|args?\.|options?\.|props\.|req\.|ctx\.|string|number|boolean|undefined|null|true|false|required|optional|redacted|example|changeme|placeholder|your[-_]|my[-_]|xxx|\.\.\.|z\.|await |new )|[({]|^[\w.]+\($|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z][A-Z_]+$|^[a-z]+(?:[-_.][a-z]+)*$|^\W+$/
const RANDOM = /(?<![\w+/=.:@%-])[\w+/-]{32,100}={0,2}(?![\w+/=%-])/g
const LOWEST_ENTROPY = 4.4

/** Text as it may be kept: secrets become `[redacted:kind]`. */
export function redact(text: string): string {
  if (text.length < 8) return text
  let clean = hideEncodedKeys(text)
  const hasUrl = text.includes('://')
  for (const [kind, pattern] of PATTERNS) {
    if (!hasUrl && pattern === IN_URL) continue
    clean = clean.replace(pattern, (_whole, kept: unknown) =>
      typeof kept === 'string' ? `${kept}[redacted:${kind}]` : `[redacted:${kind}]`,
    )
  }
  const named = (whole: string, name: string, value: string) =>
    HARMLESS.test(value) || value.startsWith('[redacted') ? whole : `${name}[redacted:secret]`
  if (NAMES.test(clean)) clean = clean.replace(NAMED, named).replace(FLAGGED, named)
  if (!LONG.test(clean)) return clean
  return clean.replace(RANDOM, (value, at: number) =>
    isRandom(value) && !isHarmlessPlace(clean, at) ? '[redacted:random]' : value,
  )
}

/** The same for every text inside a value. */
export function redactIn<T>(value: T): T
export function redactIn(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((one) => redactIn(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactIn(one)]))
}

/** Letters of both sizes and digits, without an order that words, paths, hashes or ids have. */
function isRandom(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || (value.match(/\d/g)?.length ?? 0) < 3)
    return false
  if (/^[\da-f-]+$|^sha\d{3}-/i.test(value) || value.split(/[/_-]/).length > 5) return false
  // Names are made of words: runs of small letters longer than chance would have them.
  if (/[a-z]{7,}/.test(value)) return false
  return entropyOf(value) >= LOWEST_ENTROPY
}

/** Pictures, checksums of packages and ids of calls are random, and no secret. */
function isHarmlessPlace(text: string, at: number): boolean {
  return /(?:base64,|sha\d{3}-|integrity"?: ?"?|toolu_|call_|msg_|req_|d="|checksum"?[:=] ?"?|\bM[\d.])$/i.test(
    text.slice(Math.max(0, at - 24), at),
  )
}

function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const sign of value) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) {
    const share = count / value.length
    entropy -= share * Math.log2(share)
  }
  return entropy
}
