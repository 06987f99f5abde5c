const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g
/** Pairs of letters that words are made of; of random pairs, one in four is among them. */
const PAIRS = new Set(
  `th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur
  ne me ri ro ic li la ch co ma om il ec ca us ll ho us ta io ns di tr pr el ge ac pe un ie nc po lo be no em wo rs ot ee
  ce ss so tu wa mi su ai ir mo pl ad fo ct fi ai id sh ab ig ow am bl ul op iv ke ts av up ay ey ck ut im cl ol ag ap ex
  ef oo ry ty ly gr cr br fr fe fa fu bu ba bi bo pa pu pi da do du ga go gu gi va vi vo wi we wh mp nf pt rt rd rk rm rn
  sk sp sc sw os ub ud ue ui um ep ev ew ob od og ok oc ph qu ua ug da ni na nu si ye yo rv lt lf ls dd tt pp rr ff gg mm
  nn aw ax az ix iz ob jo ju ja je ki ka ko kn lu mu my ny`.split(/\s+/),
)
/** A machine's value says what it is within its beginning; the rest is not looked at. */
const SAMPLE_LENGTH = 200

/** The words of a name, in lower case: `dbPassword`, `DB_PASSWORD` and `db-password` have the same two. */
export function wordsOf(name: string): string[] {
  return Array.from(name.matchAll(WORDS), ([word]) => word.toLowerCase())
}

/** Whether a machine made a value: letters and digits without the order that words, dates, versions and paths have. */
export function isGenerated(value: string, minLength: number): boolean {
  if (value.length < minLength) return false
  const sample = value.slice(0, SAMPLE_LENGTH)
  if (countDistinct(sample) < 6 || isPlaceholder(sample)) return false
  if (!/[a-z]/i.test(sample)) return false
  if (!/\d/.test(sample)) return isScrambled(sample)
  if (DATE_OR_VERSION.test(sample)) return false
  return !isWordy(sample)
}

const DATE_OR_VERSION =
  /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.]{4,15})?(?:Z|[+-]\d\d:?\d\d)?|v?\d{1,5}\.\d{1,5}(?:\.[\w.+-]{1,40})?)$/

/** Letters alone: of both sizes, changing as often as they do by chance. */
export function isScrambled(sample: string, minLength = 20): boolean {
  if (sample.length < minLength || !/^[\w+/=-]+$/.test(sample)) return false
  const changes = sample.match(/[a-z](?=[A-Z])/g)?.length ?? 0
  return changes * 6 >= sample.length && !isWordy(sample)
}

/** Names of things: most of the letters are in words, and digits follow words instead of parting them. */
export function isWordy(value: string): boolean {
  const sample = value.slice(0, SAMPLE_LENGTH)
  if (/^[\da-f-]{16,}$/i.test(sample)) return false
  let letters = 0
  let inWords = 0
  let digits = 0
  for (const [piece] of sample.matchAll(WORDS)) {
    if (/\d/.test(piece)) digits += piece.length
    else {
      letters += piece.length
      if (isWordLike(piece)) inWords += piece.length
    }
  }
  if (letters === 0) return false
  const parted = sample.match(/[A-Za-z]\d{1,8}(?=[A-Za-z])/g)?.length ?? 0
  return inWords >= letters * 0.7 && digits <= letters && parted <= 1 + sample.length / 24
}

function isWordLike(piece: string): boolean {
  if (piece.length < 3) return false
  const word = piece.toLowerCase()
  let known = 0
  for (let at = 1; at < word.length; at++) if (PAIRS.has(word.slice(at - 1, at + 1))) known++
  return known >= (word.length - 1) * 0.6
}

function countDistinct(text: string): number {
  return new Set(text.slice(0, 64)).size
}

const PLACEHOLDER_START =
  /^(?:your|my[-_](?:[a-z]{1,20}[-_]){0,2}(?:pass|pw|secret|token|key|cred|user|app|db|api|auth|project|bucket)|the[-_]|some[-_]|xxx|abc123$|example|sample|dummy|fake|changeme|change[-_]|placeholder|redacted|insert|enter|put[-_]|replace|todo|tbd|foo(?:bar|baz)?$|bar$|baz$)/i
const PLACEHOLDER_PART = /example|placeholder|changeme|change[-_]me|[-_]here\b|x{5}|\*{3}|\.{3}|…/i

/** What documentation writes in place of a secret. */
export function isPlaceholder(value: string): boolean {
  const sample = value.slice(0, SAMPLE_LENGTH)
  return PLACEHOLDER_START.test(sample) || PLACEHOLDER_PART.test(sample)
}

/** Letters of both sizes and many digits, without a name beside them that says what they are. */
export function isRandom(value: string): boolean {
  const sample = value.slice(0, SAMPLE_LENGTH)
  if (!/[a-z]/.test(sample) || !/[A-Z]/.test(sample)) return false
  if ((sample.match(/\d/g)?.length ?? 0) < 3) return false
  if (/^[\da-f-]+$|^sha\d{3}-/i.test(sample) || sample.split(/[/_-]/).length > 5) return false
  // Names are made of words: runs of small letters longer than chance would have them.
  if (/[a-z]{7}/.test(sample)) return false
  return entropyOf(sample) >= LOWEST_ENTROPY
}

const LOWEST_ENTROPY = 4.4

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
