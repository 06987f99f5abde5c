import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './clients/write-whole.ts'

const NAME = 'shown-notes.json'
const MOST_SESSIONS = 50
const HASH = /^[0-9a-f]{16}$/

type Shown = Readonly<Record<string, readonly string[]>>

/** What hooks have already told an agent in a session: nothing is told twice. By hashes, since notes quote what the person asked. */
export function notShownIn(home: string, sessionId: string, notes: readonly string[]): string[] {
  const known = new Set(readShown(home)[sessionId] ?? [])
  return notes.filter((note) => !known.has(hashOf(note)))
}

export function markShown(home: string, sessionId: string, notes: readonly string[]): void {
  if (sessionId === '' || notes.length === 0) return
  const { [sessionId]: before = [], ...others } = readShown(home)
  const kept = Object.entries(others).slice(1 - MOST_SESSIONS)
  const shown = [...new Set([...before, ...notes.map(hashOf)])]
  const all = { ...Object.fromEntries(kept), [sessionId]: shown }
  writeWhole(join(home, NAME), home, `${JSON.stringify(all)}\n`)
}

function readShown(home: string): Shown {
  try {
    const shown = JSON.parse(readFileSync(join(home, NAME), 'utf8')) as Shown
    return Object.fromEntries(
      // Earlier versions stored the notes themselves.
      Object.entries(shown).map(([id, notes]) => [
        id,
        notes.map((one) => (HASH.test(one) ? one : hashOf(one))),
      ]),
    )
  } catch {
    return {}
  }
}

function hashOf(note: string): string {
  return createHash('sha256').update(note).digest('hex').slice(0, 16)
}
