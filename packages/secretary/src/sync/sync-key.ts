import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'

const BYTES = 32
const CHECK_BYTES = 3
/** Without letters and digits that look alike. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUP = 7

export function createKey(): Buffer {
  return randomBytes(BYTES)
}

/** For a person to carry to another machine: groups of letters and digits, with a check against a slip. */
export function shownKey(key: Buffer): string {
  const bytes = Buffer.concat([key, checkOf(key)])
  const letters: string[] = []
  for (let bit = 0; bit < bytes.length * 8; bit += 5)
    letters.push(LETTERS[fiveBits(bytes, bit)] ?? '')
  return letters.join('').replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}

export function parseKey(text: string): Buffer {
  const letters = text
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  const bytes = Buffer.alloc(BYTES + CHECK_BYTES)
  const isWhole = letters.length === (bytes.length * 8) / 5
  for (const [place, letter] of [...letters].entries()) {
    const number = LETTERS.indexOf(letter)
    if (!isWhole || number < 0) throw notAKey()
    for (let bit = 0; bit < 5; bit++)
      if (number & (16 >> bit)) {
        const at = place * 5 + bit
        bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (128 >> (at & 7))
      }
  }
  const key = bytes.subarray(0, BYTES)
  if (!isWhole || !checkOf(key).equals(bytes.subarray(BYTES))) throw notAKey()
  return Buffer.from(key)
}

/** What segments are sealed with, and what tells that another key was used; neither gives the other away. */
export function derivedKeys(key: Buffer): { readonly seal: Buffer; readonly id: string } {
  const derive = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `secretary sync ${info}`, length))
  return { seal: derive('seal', BYTES), id: derive('id', 8).toString('hex') }
}

function fiveBits(bytes: Buffer, bit: number): number {
  const two = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0)
  return (two >> (11 - (bit & 7))) & 31
}

function checkOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, CHECK_BYTES)
}

function notAKey(): Failure {
  return new Failure(
    'validation_error',
    'That is not a sync key: enter it as `secretary sync init` printed it on the other machine',
  )
}
