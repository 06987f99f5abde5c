import type { ChangedLines } from './deed.ts'
import { printsOf } from './line-print.ts'
import { wordsIn } from './words-in.ts'

/** Of a larger change the beginning is kept; the counts are of all. */
const MOST_LINES = 4000
const MOST_WORDS = 60
/** Enough for that many words. */
const LINES_FOR_WORDS = 150

/** What a text gained and lost on its way to another: a line that both have neither came nor went. */
export function changedLines(before: string, after: string): ChangedLines {
  const old = linesOf(before)
  const fresh = linesOf(after)
  return linesThat(without(fresh, old), without(old, fresh))
}

interface LineTexts {
  readonly came: readonly string[]
  readonly gone: readonly string[]
}

/** Beside the changes and not in them: what is stored of a change never has its lines. */
const texts = new WeakMap<ChangedLines, LineTexts>()
let keepers = 0

/** Of changes that are read by the work, `textsOf` knows the lines. */
export async function keepingTexts<T>(work: () => T | Promise<T>): Promise<T> {
  keepers++
  try {
    return await work()
  } finally {
    keepers--
  }
}

export function textsOf(lines: ChangedLines): LineTexts | undefined {
  return texts.get(lines)
}

function withTexts(lines: ChangedLines, made: () => LineTexts): ChangedLines {
  if (keepers > 0) texts.set(lines, made())
  return lines
}

export function linesThat(came: readonly string[], gone: readonly string[]): ChangedLines {
  const lines = {
    plus: came.length,
    minus: gone.length,
    came: printsOf(came.slice(0, MOST_LINES)),
    gone: printsOf(gone.slice(0, MOST_LINES)),
    words: wordsIn(came.slice(0, LINES_FOR_WORDS).join('\n'), MOST_WORDS),
  }
  return withTexts(lines, () => ({ came, gone }))
}

/** Lines marked `+` and `-`, as in a diff; a line that only moved within them counts as neither. */
export function patchedLines(marked: readonly string[]): ChangedLines {
  const came: string[] = []
  const gone: string[] = []
  for (const line of marked) {
    if (line.startsWith('+')) came.push(line.slice(1))
    else if (line.startsWith('-')) gone.push(line.slice(1))
  }
  return linesThat(came, gone)
}

export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0
    if (count > 0) counts.set(line, count - 1)
    return count === 0
  })
}

export function joinChanges(parts: readonly ChangedLines[]): ChangedLines {
  const of = (side: 'came' | 'gone') => parts.flatMap((part) => texts.get(part)?.[side] ?? [])
  const lines = {
    plus: parts.reduce((sum, { plus }) => sum + plus, 0),
    minus: parts.reduce((sum, { minus }) => sum + minus, 0),
    came: parts.flatMap(({ came }) => came).slice(0, MOST_LINES),
    gone: parts.flatMap(({ gone }) => gone).slice(0, MOST_LINES),
    words: [...new Set(parts.flatMap(({ words = [] }) => words))].slice(0, MOST_WORDS),
  }
  return withTexts(lines, () => ({ came: of('came'), gone: of('gone') }))
}
