import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './clients/write-whole.ts'

const NAME = 'shown-notes.json'
const MOST_SESSIONS = 50

type Shown = Readonly<Record<string, readonly string[]>>

/** What hooks have already told an agent in a session: nothing is told twice. */
export function shownIn(home: string, sessionId: string): ReadonlySet<string> {
  return new Set(readShown(home)[sessionId] ?? [])
}

export function markShown(home: string, sessionId: string, notes: readonly string[]): void {
  if (sessionId === '' || notes.length === 0) return
  const { [sessionId]: before = [], ...others } = readShown(home)
  const kept = Object.entries(others).slice(1 - MOST_SESSIONS)
  const all = { ...Object.fromEntries(kept), [sessionId]: [...new Set([...before, ...notes])] }
  writeWhole(join(home, NAME), home, `${JSON.stringify(all)}\n`)
}

function readShown(home: string): Shown {
  try {
    return JSON.parse(readFileSync(join(home, NAME), 'utf8')) as Shown
  } catch {
    return {}
  }
}
