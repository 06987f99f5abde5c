// Apart from preview.ts: the editor shows previews from its first moment, and the rules for secrets are ten times as long.
import { redact } from '@secretary-mcp/core/redact.ts'
import { cutText, PREVIEW_LENGTH } from './preview.ts'

const LONGEST_SECRET = 400
const MAX_QUESTION = 400
/** So much of a request is searched. */
export const MAX_SEARCHED = 8_000

/** Previews are kept, so no secret stays in them; one that the end would cut through is seen whole. */
export function previewOf(text: string): string {
  const clean = redact(cutText(text, LONGEST_SECRET))
  // NUL is no character for PostgreSQL.
  return cutText(clean, PREVIEW_LENGTH).replaceAll('\0', '')
}

/** What a mark says of a request that was read just now. */
export function markedText(text: string): { preview: string; text: string } {
  return { preview: previewOf(text), text: cutText(text, MAX_SEARCHED) }
}

/** A question of the agent as the index keeps it. */
export function questionPreview(question: string): string {
  return cutText(redact(cutText(question, 2 * MAX_QUESTION)), MAX_QUESTION).replaceAll('\0', '')
}
