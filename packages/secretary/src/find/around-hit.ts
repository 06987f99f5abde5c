import { excerptOf, queryWords } from '@secretary-mcp/core/excerpt.ts'

const LINES = 3
const LONGEST = 240
const BEFORE = 60

/** The part of a text around the first word that was asked for. */
export function aroundHit(text: string, words: string): string {
  const { lines } = excerptOf(text.trim(), words, LINES)
  const joined = lines
    .map((line) => line.text.trim())
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (joined.length <= LONGEST) return joined
  const lower = joined.toLowerCase()
  const places = queryWords(words)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
  const first = Math.max(0, Math.min(...places, joined.length) - BEFORE)
  const start = places.length === 0 ? 0 : first
  const cut = joined.slice(start, start + LONGEST)
  return `${start > 0 ? '…' : ''}${cut.trim()}${start + LONGEST < joined.length ? '…' : ''}`
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
