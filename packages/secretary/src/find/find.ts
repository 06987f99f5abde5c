import { excerptOf, queryWords } from '@secretary-mcp/core/excerpt.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'

const LINES = 3
const MAX_LENGTH = 240
const BEFORE = 60

/** In the order in which groups are shown. */
export const FOUND_KINDS = [
  'request',
  'answer',
  'decision',
  'task',
  'document',
  'file',
  'symbol',
  'tool',
  'command',
] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

const NARROWING = ['agent', 'project', 'after', 'file'] as const
export type Narrowing = (typeof NARROWING)[number]

/** What was typed, taken apart. */
export interface Wanted {
  readonly words: string
  readonly agent?: string
  readonly project?: string
  /** In milliseconds. */
  readonly after?: number
  readonly file?: string
  readonly limit: number
}

/** Something that was found, and where it leads. */
export interface Found {
  readonly title: string
  /** The part of its text around the hit. */
  readonly text?: string
  /** Such as the agent, or whether a task is done. */
  readonly note?: string
  /** In milliseconds. */
  readonly at?: number
  /** Why it is here, for a person. */
  readonly why: string
  readonly session?: string
  /** The title of its dialog. */
  readonly dialog?: string
  readonly request?: number
  readonly file?: string
  readonly line?: number
  readonly task?: number
  readonly document?: string
  readonly tool?: string
}

/** Searches one kind of thing, the best first. */
export interface Finder {
  readonly kind: FoundKind
  /** What it can be narrowed by; it is not asked where something else is wanted. */
  readonly narrowedBy: readonly Narrowing[]
  find(caller: Caller, wanted: Wanted, signal: AbortSignal): Promise<readonly Found[]>
}

export interface FoundGroup {
  readonly kind: FoundKind
  readonly found: readonly Found[]
}

/** One search for all: every kind of thing at once, each in a group of its own. */
export async function findAll(
  { finders, log }: { readonly finders: readonly Finder[]; readonly log: Log },
  caller: Caller,
  { typed, limit }: { readonly typed: string; readonly limit: number },
  signal: AbortSignal,
): Promise<FoundGroup[]> {
  const wanted = parseWanted(typed, limit)
  const narrowed = NARROWING.filter((name) => wanted[name] !== undefined)
  if (wanted.words === '' && narrowed.length === 0) return []
  const asked = finders.filter(({ narrowedBy }) =>
    narrowed.every((name) => narrowedBy.includes(name)),
  )
  const groups = await Promise.all(
    asked.map(async ({ kind, find }) => ({
      kind,
      found: await find(caller, wanted, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        // One kind that cannot be searched costs none of the others.
        log.warn({ err: error, kind }, 'a kind of thing could not be searched')
        return []
      }),
    })),
  )
  return FOUND_KINDS.flatMap((kind) =>
    groups.filter((group) => group.kind === kind && group.found.length > 0),
  ).map(({ kind, found }) => ({ kind, found: latestFirst(found.slice(0, limit)) }))
}

/** Of the best, the latest first; what has no date keeps its rank. */
function latestFirst(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}

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
export function momentOf(text: string, now: number): number | undefined {
  const back = /^(\d{1,4})([dwmy])$/i.exec(text)
  if (back) return now - Number(back[1]) * (UNITS[back[2]?.toLowerCase() ?? ''] ?? 1) * DAY_MS
  const today = new Date(now).setHours(0, 0, 0, 0)
  if (text === 'today') return today
  if (text === 'yesterday') return today - DAY_MS
  const moment = /^\d{4}-\d{2}(-\d{2})?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}

/** The part of a text around the first word that was asked for. */
export function aroundHit(text: string, words: string): string {
  const { lines } = excerptOf(text.trim(), words, LINES)
  const joined = lines
    .map((line) => line.text.trim())
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (joined.length <= MAX_LENGTH) return joined
  const lower = joined.toLowerCase()
  const places = queryWords(words)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
  const first = Math.max(0, Math.min(...places, joined.length) - BEFORE)
  const start = places.length === 0 ? 0 : first
  const cut = joined.slice(start, start + MAX_LENGTH)
  return `${start > 0 ? '…' : ''}${cut.trim()}${start + MAX_LENGTH < joined.length ? '…' : ''}`
}

/** Markdown as a person reads it in one line; what is marked as code keeps its characters. */
export function withoutMarks(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => withoutLineMarks(line.trim()))
    .join('\n')
    .replace(
      /(`{1,9})(.{1,500}?)\1|\*\*([^\s*][^*]*)\*\*/g,
      (_, _ticks, code, bold) => code ?? bold,
    )
}

/** Trimmed before, because looking for the blanks at an end takes long where there are very many in the middle. */
function withoutLineMarks(line: string): string {
  if (line.startsWith('```') || /^[\s:|-]+$/.test(line)) return ''
  const text = line.replace(/^(?:#{1,6}|[-*+>]|\d{1,9}[.)])\s+/, '')
  const [first, last] = [text.startsWith('|') ? 1 : 0, text.endsWith('|') ? -1 : text.length]
  return text.slice(first, last).trim()
}

/** Which of the words stand in a text, said for a person; undefined where none does. */
export function wordsSaid(text: string, words: string, where: string): string | undefined {
  const wanted = queryWords(words)
  const lower = text.toLowerCase()
  const found = wanted.filter((word) => lower.includes(word))
  if (found.length === 0) return undefined
  if (found.length === wanted.length)
    return wanted.length === 1 ? `the word is in ${where}` : `all words are in ${where}`
  return `${found.length} of ${wanted.length} words are in ${where}`
}
