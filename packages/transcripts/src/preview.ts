import { endedAtWord } from '@secretary-mcp/core/excerpt.ts'

export const PREVIEW_LENGTH = 80

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
