import { isWordy } from './generated.ts'
import type { Run, Span } from './span.ts'

/**
 * The forms that services document for their tokens. Each begins with letters of its own, so that a text is looked through
 * once for each row; what follows them is bounded, or can only end the match, so that no text is slow to read.
 * A pattern's group `secret`, if it has one, is what is taken out.
 */
const FORMS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['aws-key', /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[0-9A-Z]{16}(?![A-Za-z0-9])/g],
  ['aws-key', /(?<![A-Za-z0-9])(?:ABSK[\w+/]{90,}={0,2}|bedrock-api-key-[\w+/=]{30,})/g],
  ['github-token', /(?<![A-Za-z0-9])(?:gh[pousr]_\w{30,}|github_pat_\w{22,})/g],
  [
    'gitlab-token',
    /(?<![A-Za-z0-9])gl(?:pat|dt|ptt|rt|cbt|soat|ft|imt|agent|oas|ffct)-[\w.-]{20,}/g,
  ],
  ['gitlab-token', /(?<![A-Za-z0-9])GR1348941[\w-]{20,}/g],
  [
    'slack-token',
    /(?<![A-Za-z0-9])(?:xox[abceoprs](?:\.xox[bp])?-[\w-]{10,}|xapp-\d-[\w-]{20,}|xwfp-[\w-]{20,})/g,
  ],
  ['slack-webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w+/]{20,})/g],
  [
    'webhook',
    /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,30}\/(?<secret>[\w-]{20,})/g,
  ],
  ['webhook', /webhook\.office\.com\/webhookb2\/(?<secret>[\w@-]{20,}(?:\/[\w-]{4,80}){1,4})/g],
  ['webhook', /hooks\.zapier\.com\/hooks\/catch\/(?<secret>\d{3,20}\/\w{4,40})/g],
  ['discord-token', /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g],
  ['discord-token', /(?<![\w.-])mfa\.[\w-]{60,}/g],
  ['api-key', /(?<![A-Za-z0-9])sk-[\w-]{20,}/g],
  [
    'google-key',
    /(?<![A-Za-z0-9])(?:AIza[\w-]{35}(?![\w-])|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1\/\/0[\w-]{40,})/g,
  ],
  ['stripe-key', /(?<![A-Za-z0-9])(?:[srp]k_(?:live|test|prod)_\w{10,}|whsec_[\w+/=]{24,})/g],
  [
    'token',
    /(?<![A-Za-z0-9])(?:npm_\w{36}|pypi-[\w-]{40,}|hf_\w{30,}|api_org_\w{30,}|do[opr]_v1_[\da-f]{64}|shp(?:at|ca|pa|ss|tka)_[\da-fA-F]{32}|lin_(?:api|oauth)_\w{30,}|sntry[su]_[\w=+/]{30,}|dapi[\da-f]{32}(?:-\d)?|dckr_(?:pat|oat)_[\w-]{20,}|r8_\w{30,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:SG\.[\w-]{16,64}\.[\w-]{30,}|sq0(?:atp|csp|idp)-[\w-]{20,}|gl(?:sa|c)_[\w+/=]{30,}|hv[sbr]\.[\w-]{20,}|pat-(?:na|eu|ap)\d-[\da-f-]{30,}|fo1_[\w-]{30,}|fm[12][ar]?_[\w+/=,]{40,}|nf[pcobu]_\w{30,}|figd_[\w-]{30,}|secret_\w{40,}|ntn_\w{40,}|EAA\w{60,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:ATATT3[\w=-]{50,}|ATCTT3[\w=-]{50,}|ATBB\w{24,}|BBDC-[\w+/=]{30,}|PMAK-[\da-f-]{40,}|NR(?:AK|II|JS|AA)-[\w-]{19,}|rubygems_[\da-f]{48}|sbp_[\da-f]{40,}|sb_secret_[\w-]{20,}|SK[\da-f]{32}(?![\da-f])|gsk_\w{40,}|xai-\w{40,}|pplx-\w{40,}|tskey-[a-z]{2,20}-[\w-]{20,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:pat[A-Za-z0-9]{14}\.[\da-f]{64}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}|dt0[cs]\d\d\.\w{24}\.\w{64}|EZ[AT]K\w{54}|pul-[\da-f]{40}|pnu_\w{36}|pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}|rdme_\w{70}|xkeysib-[\da-f]{64}-\w{16}|shippo_(?:live|test)_[\da-fA-F]{40}|sgp_\w{40,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:HRKU-[\w-]{36,}|AKCp\w{69}|cmVmd\w{59}|LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])|AKID[A-Za-z0-9]{32}|API-[A-Z0-9]{26}(?![A-Z0-9])|sha256~[\w-]{43}|ops_eyJ[\w+/=]{100,}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}-[A-Z0-9-]{11,30}|CLOJARS_\w{60}|duffel_(?:live|test)_[\w=-]{43}|fio-u-[\w=-]{64}|ico-\w{32}|p8e-\w{32}|phx_\w{30,}|phc_\w{30,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|vercel_blob_rw_\w{20,}|vc[parik]_[A-Za-z0-9]{24,}|nvapi-[\w-]{40,}|fw_[A-Za-z0-9]{20,}|jina_\w{40,}|tvly-[\w-]{20,}|lsv2_(?:pt|sk)_[\da-f_]{40,}|pcsk_\w{40,}|apify_api_\w{30,}|rnd_\w{28,}|rpa_\w{40,}|tgp_v1_[\w-]{40,}|hcaptcha_\w{30,}|ghcr_\w{30,}|oat_\w{30,}|wakatime_[\w-]{30,}|sc[wm]_[\w-]{36,}|CFPAT-[\w-]{40,}|key-[\da-f]{32}|syt_[\w]{4,60}_[A-Za-z]{20}_\w{6})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:rzp_(?:live|test)_\w{14,}|tfp_[\w-]{40,}|bkua_[\da-f]{40}|bkct_\w{30,}|CCI(?:PAT|PRJ)_\w{10,60}_[\da-f]{40}|sq[paub]_[\da-f]{40}|hc[abmx][a-z]{2}_\w{40,}|essu_[\w=+/]{40,}|FLWSECK(?:_TEST)?-[\w-]{12,}|zpka_\w{20,}|tr_(?:dev|prod|pat)_\w{16,}|signkey-(?:prod|test)-[\da-f]{20,}|npg_\w{12,}|napi_\w{40,}|csk-\w{32,}|llx-\w{32,}|e2b_[\da-f]{32,}|dtn_[\da-f]{40,}|esecret_\w{20,}|ctx7sk-[\w-]{20,}|fc-[\da-f]{32}|bb_(?:live|test)_[\w-]{20,})/g,
  ],
  [
    'token',
    /(?<![A-Za-z0-9])(?:ATTA[\da-f]{60,}|sl\.[\w-]{100,}|pk_\d{6,12}_[A-Z0-9]{30,}|RGAPI-[\da-f-]{36}|gb_api_\w{30,}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}(?![A-Za-z0-9])|packagist_(?:ack|out|org|uut)_[\da-f]{30,}|ptr_[\w+/=]{30,}|token-[a-z0-9]{5}:[a-z0-9]{54}|y0_[\w-]{50,}|AQVN[\w-]{35,}|t1\.[A-Z0-9a-z_-]{80,}\.[\w-]{50,}|oauth:[a-z0-9]{30}(?![a-z0-9])|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[\da-f]{32}|(?:sdk|mob|api)-[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}|snyk_uat\.[\w.-]{20,}|wandb_v1_\w{40,}|FLA_\w{20,}|gocspx-[\w-]{20,}|AQE[a-z0-9]{2,}[\w+/=]{60,}|live_[a-zA-Z0-9]{30,35}(?![A-Za-z0-9_])|EAAA[\w-]{55,}|\d{1,2}\/\d{10,20}:[\da-f]{32}|pat\.[\w-]{22}\.[\da-f]{24}\.\w{20}|mlsn\.[\da-f]{60,}|IGQ[\w-]{60,}|cf(?:ut|at)_\w{40,}|sk\.eyJ[\w-]{20,})/g,
  ],
  ['token', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/g],
  ['token', /(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g],
  ['token', /(?:(?<![\w:])|(?<=\/bot))\d{8,10}:AA[\w-]{32,34}(?![\w-])/g],
  ['token', /(?<![\w-])v1\.0-[\da-f]{24}-[\da-f]{146}/g],
  ['token', /(?<![A-Za-z0-9])[\da-f]{32}-us\d{1,2}(?!\w)/g],
  ['token', /(?<![\w-])access-(?:sandbox|development|production)-(?<secret>[\da-f-]{36})/g],
  [
    'account-key',
    /(?<![A-Za-z])(?:AccountKey|SharedAccessKey|SharedAccessSignature|sig)=(?<secret>[\w+/%.~-]{30,}=*)/g,
  ],
]

/** These have blanks in them. */
const HEADERS: typeof FORMS = [
  [
    'token',
    /(?<![A-Za-z])(?:Proxy-)?Authorization["']{0,2}[ \t]{0,5}[:=,][ \t]{0,5}["']?(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Negotiate|Bot|GenieKey|SSWS)[ \t]{1,5}(?<secret>[\w.~+/=:-]{8,})/gi,
  ],
  ['token', /(?<![A-Za-z])Bearer[ \t]{1,5}(?<secret>(?=[\w.~+/-]{0,80}\d)[\w.~+/-]{20,}=*)/gi],
  ['token', /(?<![A-Za-z])Basic[ \t]{1,5}(?<secret>[A-Za-z0-9+/]{12,}={0,2})/g],
]

/** Kinds whose letters are a word of their own often enough that the rest must look made by a machine. */
const ALWAYS = new Set(['slack-webhook', 'webhook', 'account-key'])

export function findKnownForms(text: string, runs: readonly Run[]): Span[] {
  const found: Span[] = []
  for (const { start, end } of runs) {
    const from = Math.max(0, start - 1)
    const run = text.slice(from, end)
    for (const form of FORMS) addMatches(found, form, run, from)
  }
  if (/bearer|basic|authorization/i.test(text))
    for (const form of HEADERS) addMatches(found, form, text, 0)
  return found
}

function addMatches(
  found: Span[],
  [kind, pattern]: (typeof FORMS)[number],
  text: string,
  from: number,
): void {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const secret = match.groups?.secret ?? match[0]
    if (!ALWAYS.has(kind) && !isSecretForm(secret, match[0])) continue
    const start = from + match.index + match[0].lastIndexOf(secret)
    found.push({ start, end: start + secret.length, kind })
  }
}

function isSecretForm(secret: string, whole: string): boolean {
  if (new Set(secret.slice(0, 80)).size < 8) return false
  if (whole.startsWith('Basic')) return isUserAndPassword(secret)
  return !isWordy(secret)
}

/** `user:password` in base64, as HTTP sends it. */
export function isUserAndPassword(value: string): boolean {
  return /^[\x21-\x7e]{0,100}:[\x21-\x7e]{3,300}$/.test(
    Buffer.from(value.slice(0, 400), 'base64').toString('latin1'),
  )
}

const JWT_SIGN = /[\w-]/

/**
 * JSON Web Tokens, signed, unsigned or encrypted: parts that begin as JSON does, with dots between them. Every run of
 * signs is read once, from its beginning.
 */
export function findWebTokens(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at + 3)) {
    if (/[A-Za-z0-9]/.test(text[at - 1] ?? '')) continue
    const ends: number[] = []
    let end = at
    for (;;) {
      end = endOfRun(text, end)
      ends.push(end)
      if (text[end] !== '.' || ends.length === 5) break
      end++
    }
    const first = (ends[0] ?? at) - at
    if (ends.length >= 2 && first >= 10 && end - at >= 30)
      found.push({ start: at, end, kind: 'jwt' })
    at = end
  }
  return found
}

function endOfRun(text: string, from: number): number {
  let end = from
  while (end < text.length && JWT_SIGN.test(text[end] ?? '')) end++
  return end
}
