import { NARROWING, type Narrowing, type Wanted } from './find-types.ts'

const PART = new RegExp(`(?:^|\\s)(${NARROWING.join('|')}):("[^"]*"|\\S*)`, 'giu')
const DAY_MS = 86_400_000
const UNITS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }

/** `slots agent:codex after:7d` as words and what narrows them. What cannot be understood narrows nothing. */
export function parseWanted(typed: string, limit: number, now = Date.now()): Wanted {
  const given = new Map<string, string>()
  const words = typed
    .replace(PART, (_, name: string, value: string) => {
      given.set(name.toLowerCase(), value.replaceAll('"', ''))
      return ' '
    })
    .replace(/\s+/g, ' ')
    .trim()
  const text = (name: Narrowing) => given.get(name) || undefined
  return {
    words,
    limit,
    agent: text('agent'),
    project: text('project'),
    file: text('file'),
    after: momentOf(text('after') ?? '', now),
  }
}

/** A day such as 2026-01-31, `today`, `yesterday`, or so many days, weeks, months or years back: 7d. */
function momentOf(text: string, now: number): number | undefined {
  const back = /^(\d{1,4})([dwmy])$/i.exec(text)
  if (back) return now - Number(back[1]) * (UNITS[back[2]?.toLowerCase() ?? ''] ?? 1) * DAY_MS
  const today = new Date(now).setHours(0, 0, 0, 0)
  if (text === 'today') return today
  if (text === 'yesterday') return today - DAY_MS
  const moment = /^\d{4}-\d{2}(-\d{2})?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}
