import { readFileSync } from 'node:fs'
import { seeded } from './seeded.ts'

export interface Sample {
  readonly shape: string
  readonly text: string
  /** What stands in the text for the secret, piece by piece. */
  readonly secrets: readonly string[]
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALPHABETS: Readonly<Record<string, string>> = {
  an: LETTERS + LETTERS.toUpperCase() + DIGITS,
  al: LETTERS + LETTERS.toUpperCase(),
  lo: LETTERS + DIGITS,
  up: LETTERS.toUpperCase() + DIGITS,
  dig: DIGITS,
  hex: `${DIGITS}abcdef`,
  b32: `${LETTERS.toUpperCase()}234567`,
  b64: `${LETTERS + LETTERS.toUpperCase() + DIGITS}+/`,
  b64u: `${LETTERS + LETTERS.toUpperCase() + DIGITS}-_`,
}
/** What people choose, according to every list of leaked passwords. */
const WORDS = [
  ...[
    'swordfish',
    'dragonfly',
    'sunshine',
    'butterfly',
    'jennifer',
    'midnight',
    'football',
    'starwars',
    'chocolate',
  ],
  ...[
    'superman',
    'whatever',
    'trustno',
    'corvette',
    'mercedes',
    'hunter',
    'bluebird',
    'elephant',
    'penguin',
  ],
]

/** A corpus filled from a seed: no file of the repository has anything in it that looks like a leaked secret. */
export function sampleTexts(file: string, seed: number): Sample[] {
  const { among, next } = seeded(seed)
  const signs = (alphabet: string, length: number) =>
    Array.from({ length }, () => among([...(ALPHABETS[alphabet] ?? '')])).join('')
  const chosen = (kind: string): string => {
    if (kind === 'word') return among(WORDS)
    if (kind === 'phrase') return Array.from({ length: 12 }, () => among(WORDS)).join(' ')
    const word = among(WORDS)
    const sign = among([...'!#%+*?~^'])
    const number = String(Math.floor(next() * 90) + 10)
    return among([
      `${word}${number}${sign}`,
      `${word[0]?.toUpperCase()}${word.slice(1)}${sign}${number}`,
    ])
  }
  const lines = readFileSync(new URL(`../data/${file}.txt`, import.meta.url), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((shape) => {
      const secrets: string[] = []
      const text = shape
        .replaceAll('\\\\n', '\0')
        .replaceAll('\\n', '\n')
        .replaceAll('\0', '\\n')
        .replace(
          /⟦([^⟧]+)⟧|«(\w+)(?::(\d+))?»/g,
          (_, given?: string, kind = '', length?: string) => {
            const secret = given ?? (length ? signs(kind, Number(length)) : chosen(kind))
            secrets.push(secret)
            return secret
          },
        )
      return { shape, text, secrets }
    })
}

/** Whether a piece of the secret that is long enough to matter is left in the text. */
export function isLeaked({ secrets }: Sample, clean: string): boolean {
  return secrets.some((secret) => {
    if (secret.length < 8) return secret.length >= 6 && clean.includes(secret)
    return clean.includes(secret.slice(0, 8)) || clean.includes(secret.slice(-8))
  })
}
