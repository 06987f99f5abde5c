import { expect } from 'vitest'

/** How often a measurement is repeated: what else runs makes one slow, not all. */
const TRIES = 3
const LENGTHS = [8_000, 32_000, 128_000]
/**
 * A function that takes no longer than this for the longest text is not quadratic in it: the longest piece below stands in it
 * 3,000 times, and 9 million steps take longer.
 */
const FAST_MS = 6
/** Sixteen times the text takes sixteen times as long, or some more where memory runs short; a quadratic function takes 256 times. */
const SPAN = 16
const MAX_GROWTH = 100
const SUSPICIOUS_GROWTH = 6

type Work = (text: string) => unknown
type TextOf = (length: number) => string

/**
 * Fails for a function that takes far more than proportionally longer for a longer text. Time of the processor and not of the
 * clock, the least of several tries, and a ratio: neither a slow machine nor a busy one fails anybody. Each length is measured once
 * before the next, and again only if it took long; a function that is not linear is so at every length.
 */
export async function expectLinear(work: Work, textOf: TextOf): Promise<void> {
  let before = await leastTime(work, textOf(LENGTHS[0] ?? 0), 1)
  for (const length of LENGTHS.slice(1)) {
    const time = await leastTime(work, textOf(length), 1)
    // Whatever ran beside it, or was compiled in it, is not in the measurements that decide.
    if (time > FAST_MS && time > before * SUSPICIOUS_GROWTH) {
      // The long text first: by then the function is compiled, for the short one as well.
      const more = await leastTime(work, textOf((length / 4) * SPAN))
      // The first time was a slow one: what takes microseconds is told from nothing by chance alone.
      if (more <= FAST_MS) continue
      const once = await leastTime(work, textOf(length / 4))
      expect(more / once, JSON.stringify(textOf(40))).toBeLessThanOrEqual(MAX_GROWTH)
    }
    before = time
  }
}

async function leastTime(work: Work, text: string, tries = TRIES): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let done = 0; done < tries; done++) {
    const before = process.cpuUsage()
    await work(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
    // What takes long is measured well enough.
    if (least > 300) break
  }
  return least
}

/** Signs that the formats of the product give a meaning to, repeated alone and in pairs. */
const PIECES = [
  ...[
    'a-',
    'a.',
    ' ',
    '\n',
    '\t',
    '/',
    '"',
    '`',
    '-',
    '*',
    '#',
    '=',
    '<',
    '(',
    '[',
    '{',
    '\\',
    ',',
    '?',
    '|',
    ':',
  ],
  ...[
    'a-a-://x',
    '://a:b@',
    'eyJ',
    'eyJa.',
    'password=',
    'password="',
    'token ',
    '"key":"',
    'curl -u a:',
    'sk-',
    'ghp_',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN CERTIFICATE-----',
    'PuTTY-User-Key-File-3',
    'Cookie: a=',
    'Bearer ',
  ],
  ...[
    '_**a ',
    '_**User (',
    '<!--',
    '```\n',
    '<system-reminder>',
    '<hook_context>',
    'cat <<EOF\n',
    '<<EOF',
    '# a ',
    '“',
  ],
  ...[
    'import a ',
    'use a',
    'from a import ',
    '\u001b]',
    'Current Working Directory (',
    'at a ',
    '-m "',
    '2>&1 ',
    '| tail ',
  ],
]

export function hostileTexts(): ((length: number) => string)[] {
  const pairs = PIECES.flatMap((piece) => [
    piece,
    `${piece}a`,
    `${piece} `,
    `${piece}\n`,
    `a${piece}`,
  ])
  return [...new Set(pairs)].map((piece) => {
    const made = new Map<number, string>()
    return (length) => {
      const known = made.get(length)
      if (known !== undefined) return known
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
      made.set(length, text)
      return text
    }
  })
}
