import { describe, expect, it } from 'vitest'
import { chainOf, createKey, createSealer, parseKey, shownKey } from './seal.ts'
import type { SyncRecord } from './segment.ts'

const records: SyncRecord[] = [{ type: 'forget', id: 'claude-code/zebrafinch', version: 'v1' }]
const name = { machine: '0123456789abcdef', generation: 1, sequence: 2 }
const sealer = createSealer(createKey())

describe('a segment', () => {
  it('gives back what was sealed, and shows nothing of it', () => {
    const bytes = sealer.seal(name, 'before', records)
    expect(sealer.open(name, 'before', bytes)).toEqual({ records, chain: chainOf(bytes) })
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('zebrafinch')
    expect(Buffer.from(sealer.seal(name, 'before', records))).not.toEqual(Buffer.from(bytes))
  })

  it('is torn as long as its end is missing, wherever it ends', () => {
    const bytes = sealer.seal(name, '', records)
    for (let length = 0; length < bytes.length; length++)
      expect(sealer.open(name, '', bytes.subarray(0, length)), String(length)).toBe('torn')
  })

  it('is refused under another key, another name, after another one, and with any byte changed', () => {
    const bytes = sealer.seal(name, 'before', records)
    const failing = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return (error as { errorType: string }).errorType
      }
      return undefined
    }
    const other = createSealer(createKey())
    expect(failing(() => other.open(name, 'before', bytes))).toBe('wrong_key')
    expect(failing(() => createSealer(undefined).open(name, 'before', bytes))).toBe('wrong_key')
    for (const wrong of [{ machine: 'fedcba9876543210' }, { generation: 2 }, { sequence: 3 }])
      expect(failing(() => sealer.open({ ...name, ...wrong }, 'before', bytes))).toBe(
        'sync_damaged',
      )
    expect(failing(() => sealer.open(name, 'another', bytes))).toBe('sync_damaged')
    for (let place = 0; place < bytes.length; place++) {
      const changed = Uint8Array.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      let opened: unknown
      try {
        opened = sealer.open(name, 'before', changed)
      } catch {
        continue
      }
      // A length that was made longer looks like a part that has not arrived.
      expect(opened, String(place)).toBe('torn')
    }
  })

  it('is checked without a key too', () => {
    const plain = createSealer(undefined)
    const bytes = plain.seal(name, '', records)
    expect(plain.open(name, '', bytes)).toMatchObject({ records })
    const changed = Uint8Array.from(bytes)
    changed[bytes.length - 1] = (changed[bytes.length - 1] ?? 0) ^ 1
    expect(() => plain.open(name, '', changed)).toThrow('is damaged')
  })

  it('keeps what this version knows of a log that a later one wrote', () => {
    const later = [{ type: 'melody', id: 'x', version: 'v' }, ...records] as SyncRecord[]
    expect(sealer.open(name, '', sealer.seal(name, '', later))).toMatchObject({ records })
  })
})

describe('a key', () => {
  it('comes back from what a person types, and a slip is noticed', () => {
    const key = createKey()
    const shown = shownKey(key)
    expect(shown).toMatch(/^(?:[0-9a-z]{7}-){7}[0-9a-z]{7}$/)
    expect(parseKey(shown)).toEqual(key)
    expect(parseKey(` ${shown.toUpperCase().replaceAll('-', ' ')} `)).toEqual(key)
    const slip = shown.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a'))
    for (const wrong of [slip, shown.slice(1), '', 'a passphrase of mine'])
      expect(() => parseKey(wrong), wrong).toThrow('That is not a sync key')
  })
})
