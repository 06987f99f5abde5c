import { endedAtWord } from '../core/ended-at-word.ts'
import { redact } from '../core/redact.ts'

export const PREVIEW_LENGTH = 80
const LONGEST_SECRET = 400

/** The beginning of a text, never through the middle of a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** As a person reads it: one line that ends at a word, with "…" where something is missing. */
export function shownLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= longest ? line : endedAtWord(cutText(line, longest - 1), line)
}

/** The same of what the index keeps of a request: one that is as long as they get is a beginning. */
export function shownPreview(preview: string): string {
  const line = shownLine(preview, PREVIEW_LENGTH)
  return preview.length < PREVIEW_LENGTH - 1 ? line : endedAtWord(line, line)
}

/** The beginning of a longer text, its lines kept. */
export function shownBeginning(text: string, longest: number): string {
  return text.length <= longest ? text : endedAtWord(cutText(text, longest - 1), text)
}

/** Previews are kept, so no secret stays in them; one that the end would cut through is seen whole. */
export function previewOf(text: string): string {
  const clean = redact(cutText(text, LONGEST_SECRET))
  // NUL is no character for PostgreSQL.
  return cutText(clean, PREVIEW_LENGTH).replaceAll('\0', '')
}

const MAX_QUESTION = 400

/** A question of the agent as the index keeps it. */
export function questionPreview(question: string): string {
  return cutText(redact(cutText(question, 2 * MAX_QUESTION)), MAX_QUESTION).replaceAll('\0', '')
}
