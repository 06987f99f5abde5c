import { expect } from 'vitest'

/** How often a measurement is repeated: what else runs makes one slow, not all. */
const TRIES = 3
/** Below this a clock says nothing. */
const MIN_MS = 4
const LONGEST = 1_000_000
/** Four times the text takes four times as long, or eight where memory runs short; a quadratic function takes sixteen times. */
const MAX_GROWTH = 13

type Work = (text: string) => unknown
type TextOf = (length: number) => string

/**
 * Fails for a function that takes more than proportionally longer for four times the text. Time of the processor and not of the
 * clock, the least of several tries, and a ratio: neither a slow machine nor a busy one fails anybody. A ratio that looks bad
 * is measured again with longer texts, since a function that is not linear is so at every length.
 */
export async function expectLinear(work: Work, textOf: TextOf): Promise<void> {
  let length = 4_000
  let once = await leastTime(work, textOf(length))
  while (once < MIN_MS && length * 4 <= LONGEST) {
    length *= 4
    once = await leastTime(work, textOf(length))
  }
  const ratios: number[] = []
  for (let tries = 0; once >= MIN_MS && tries < 3; tries++) {
    const more = await leastTime(work, textOf(length * 4))
    ratios.push(more / once)
    if (more <= once * MAX_GROWTH) return
    if (length * 16 <= LONGEST) length *= 4
    once = await leastTime(work, textOf(length))
  }
  expect(ratios, JSON.stringify(textOf(40))).toEqual([])
}

async function leastTime(work: Work, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES; tries++) {
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
  return [...new Set(pairs)].map(
    (piece) => (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  )
}
