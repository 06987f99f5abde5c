import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'
import { parseRecord, type SyncRecord } from './record.ts'
import { damagedSegment, type SegmentName, segmentPath } from './segment.ts'
import { derivedKeys } from './sync-key.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const LONGEST_HEAD = 1_000
/** Of one segment, unpacked: a dialog of 64 MB is the largest that is kept. */
const LARGEST = 512 << 20
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
    const end = bytes.subarray(0, LONGEST_HEAD).indexOf(LINE_END)
    if (end < 0 && bytes.length < LONGEST_HEAD) return 'torn'
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
    const lines = inflateRawSync(packed, { maxOutputLength: LARGEST }).toString('utf8').split('\n')
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
