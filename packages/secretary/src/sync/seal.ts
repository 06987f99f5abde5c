import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'
import {
  damagedSegment,
  parseRecord,
  type SegmentName,
  type SyncRecord,
  segmentPath,
} from './segment.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const MAX_HEAD = 1_000
/** Of one segment, unpacked: a dialog of 64 MB is the largest that is kept. */
const MAX_SIZE = 512 << 20
const LINE_END = 10

/** Written before the sealed part and authenticated with it. `key` is absent where the place itself is private. */
const head = z.object({
  secretary: z.literal('sync'),
  format: z.literal(1),
  machine: z.string(),
  generation: z.int(),
  sequence: z.int(),
  previous: z.string(),
  key: z.string().optional(),
  nonce: z.string().optional(),
  length: z.int(),
})
type Head = z.output<typeof head>

export interface Opened {
  readonly records: readonly SyncRecord[]
  readonly chain: string
}

export interface Sealer {
  seal(name: SegmentName, previous: string, records: readonly SyncRecord[]): Uint8Array
  /** `torn`: not all of it has arrived yet. */
  open(name: SegmentName, previous: string, bytes: Uint8Array): Opened | 'torn'
  /** Whether a machine with this key wrote it under this name, whatever it follows. */
  isAuthentic(name: SegmentName, bytes: Uint8Array): boolean
}

/** What the next segment names. */
export function chainOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Without a key nothing is encrypted, and a change is noticed all the same. */
export function createSealer(key: Buffer | undefined): Sealer {
  const keys = key && derivedKeys(key)
  return {
    seal(name, previous, records) {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
      const packed = deflateRawSync(lines)
      const nonce = randomBytes(NONCE_BYTES)
      const about: Head = {
        ...{ secretary: 'sync', format: 1, ...name, previous },
        ...(keys ? { key: keys.id, nonce: nonce.toString('hex') } : {}),
        length: packed.length + (keys ? TAG_BYTES : 32),
      }
      const line = Buffer.from(`${JSON.stringify(about)}\n`)
      if (!keys) return Buffer.concat([line, packed, digest(line, packed)])
      const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce).setAAD(line)
      return Buffer.concat([line, cipher.update(packed), cipher.final(), cipher.getAuthTag()])
    },

    open(name, previous, given) {
      const opened = unseal(name, given)
      if (opened === 'torn') return opened
      if (opened.previous !== previous) throw brokenChain(name)
      return { records: recordsOf(opened.packed, name), chain: opened.chain }
    },

    isAuthentic(name, given) {
      try {
        return unseal(name, given) !== 'torn'
      } catch (error) {
        if (error instanceof Failure) return false
        throw error
      }
    },
  }

  function unseal(name: SegmentName, given: Uint8Array) {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    const end = bytes.subarray(0, MAX_HEAD).indexOf(LINE_END)
    if (end < 0 && bytes.length < MAX_HEAD) return 'torn'
    const line = bytes.subarray(0, end + 1)
    const about = headOf(line, name)
    const content = bytes.subarray(end + 1)
    if (content.length < about.length) return 'torn'
    if (about.key !== keys?.id) throw wrongKey(keys === undefined)
    const isHere =
      about.machine === name.machine &&
      about.generation === name.generation &&
      about.sequence === name.sequence
    if (!isHere || content.length !== about.length) throw damagedSegment(name)
    const packed = decrypt(line, content, about, name)
    return { packed, previous: about.previous, chain: chainOf(bytes) }
  }

  function decrypt(line: Buffer, content: Buffer, { nonce = '' }: Head, name: SegmentName): Buffer {
    const cut = content.length - (keys ? TAG_BYTES : 32)
    if (cut < 0) throw damagedSegment(name)
    const [packed, proof] = [content.subarray(0, cut), content.subarray(cut)]
    if (!keys) {
      if (!digest(line, packed).equals(proof)) throw damagedSegment(name)
      return packed
    }
    try {
      const cipher = createDecipheriv('aes-256-gcm', keys.seal, Buffer.from(nonce, 'hex'))
      cipher.setAAD(line).setAuthTag(proof)
      return Buffer.concat([cipher.update(packed), cipher.final()])
    } catch {
      throw damagedSegment(name)
    }
  }
}

function headOf(line: Buffer, name: SegmentName): Head {
  try {
    return head.parse(JSON.parse(line.toString('utf8')))
  } catch {
    throw damagedSegment(name)
  }
}

function recordsOf(packed: Buffer, name: SegmentName): SyncRecord[] {
  try {
    const lines = inflateRawSync(packed, { maxOutputLength: MAX_SIZE }).toString('utf8').split('\n')
    return lines.filter(Boolean).flatMap((line) => parseRecord(JSON.parse(line)) ?? [])
  } catch {
    throw damagedSegment(name)
  }
}

function digest(line: Buffer, packed: Buffer): Buffer {
  return createHash('sha256').update(line).update(packed).digest()
}

function brokenChain(name: SegmentName): Failure {
  return new Failure(
    'sync_damaged',
    `${segmentPath(name)} does not follow the one before it: something was removed or replaced`,
  )
}

function wrongKey(isPlain: boolean): Failure {
  return new Failure(
    'wrong_key',
    isPlain
      ? 'What is there is encrypted, and no key is known here'
      : 'What is there was written with another key; enter the one that `secretary sync init` printed on the first machine',
  )
}

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
function derivedKeys(key: Buffer): { readonly seal: Buffer; readonly id: string } {
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
