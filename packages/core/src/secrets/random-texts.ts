import { isRandom } from './generated.ts'
import type { Run, Span } from './span.ts'

const MIN_LENGTH = 32
const RANDOM = /(?<![\w+/=.:@%-])[\w+/-]{32,256}={0,2}(?![\w+/=%-])/g

/** Texts that look random and have no name beside them. */
export function findRandom(text: string, runs: readonly Run[]): Span[] {
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

/** Pictures, checksums of packages, ids of calls, places in a list and public keys are random, and no secret. */
const HARMLESS_PLACE =
  /(?:base64,|sha\d{3}-|integrity"?: ?"?|toolu_|call_|msg_|req_|d="|checksum"?[:=] ?"?|\bM[\d.]|(?:page|next|continuation|cursor|sync)_?token["']? ?[:=] ?["']?|"(?:x|y|n|x5t|x5c|kid)" ?: ?\[?"|public_?key["']? ?[:=] ?["']?)$/i

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

const PUBLIC_KEY =
  /(?<![\w-])(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]{1,30}|sk-(?:ssh|ecdsa)-[\w@.-]{1,60}) AAAA[\w+/]{20,}={0,2}/g
const DATA_URL = /data:[\w/+.-]{0,80}(?:;[\w=-]{1,40}){0,4};base64,[\w+/=-]{1,}/g

/** What is made to be given away: certificates, public keys and pictures. */
export function findPublicTexts(text: string): Span[] {
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
export function isWithin({ start, end }: Span, stretches: readonly Span[]): boolean {
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
