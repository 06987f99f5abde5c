import { runInNewContext } from 'node:vm'
import { excerptOf, splitAtWords } from '@secretary-mcp/core/excerpt.ts'
import type { Terminal } from './terminal.ts'

const PATTERN_TIMEOUT_MS = 100
/** How much of a line stands before the first match, where the line is long. */
const BEFORE = 24

/** A text with the words of a query marked. */
export function markWords({ style }: Terminal, text: string, query: string): string {
  return marked(style, splitAtWords(text, query))
}

/** The line of a text that says most of a query, from a little before its first word where that is far to the right. */
export function matchingLine(terminal: Terminal, text: string, query: string): string {
  const [best] = excerptOf(text.trim(), query, 1).lines
  const line = (best?.text ?? '').replace(/\s+/g, ' ').trim()
  const first = splitAtWords(line, query)[0] ?? ''
  const isFar = first.length < line.length && first.length > terminal.columns / 3
  const start = isFar ? line.lastIndexOf(' ', first.length - BEFORE) + 1 : 0
  return markWords(terminal, start > 0 ? `…${line.slice(start)}` : line, query)
}

/** Texts with the matches of a pattern marked; as they are where it takes too long, or means something else to us. */
export function markPattern(
  { style, hasColours }: Terminal,
  texts: readonly string[],
  pattern: string,
  flags: string,
): readonly string[] {
  if (!hasColours) return texts
  try {
    const split: string[][] = runInNewContext(
      "texts.map((text) => text.replace(new RegExp(pattern, flags), (match) => match && '\\0' + match + '\\0').split('\\0'))",
      { texts, pattern, flags },
      { timeout: PATTERN_TIMEOUT_MS },
    )
    return split.map((parts) => marked(style, parts))
  } catch {
    return texts
  }
}

/** Every second part is a match. */
function marked(style: Terminal['style'], parts: readonly string[]): string {
  return parts.map((part, at) => (at % 2 === 1 ? style(['bold', 'red'], part) : part)).join('')
}
