// Apart from preview.ts: the editor shows previews from its first moment, and the rules for secrets are ten times as long.
import { redact } from '@secretary-mcp/core/redact.ts'
import { titleOf } from './authorship.ts'
import { cutText, PREVIEW_LENGTH, shownLine } from './preview.ts'

const MAX_SECRET = 400
const MAX_QUESTION = 400
/** A title is looked for in so much of a request. */
const MAX_TITLED = 64_000
/** So much of a request is searched. */
export const MAX_SEARCHED = 8_000

/** Previews are kept, so no secret stays in them; one that the end would cut through is seen whole. */
export function previewOf(text: string): string {
  const clean = redact(cutText(text, MAX_SECRET))
  // NUL is no character for PostgreSQL.
  return cutText(clean, PREVIEW_LENGTH).replaceAll('\0', '')
}

/** What a mark says of a request that was read just now. */
export function markedText(text: string): { preview: string; title?: string; text: string } {
  return { ...headOf(text), text: cutText(text, MAX_SEARCHED) }
}

/** What a list shows of a request. */
export function headOf(text: string): { preview: string; title?: string } {
  const title = titleApart(text)
  return { preview: previewOf(text), ...(title === undefined ? {} : { title }) }
}

/** The request's title; undefined if its beginning says the same. */
function titleApart(text: string): string | undefined {
  const title = redact(titleOf(cutText(text, MAX_TITLED), MAX_SECRET)).replaceAll('\0', '')
  const beginning = shownLine(cutText(text, 2 * MAX_SECRET), MAX_SECRET)
  if (title === '' || beginning.startsWith(title.replace(/…$/, ''))) return undefined
  return shownLine(title, PREVIEW_LENGTH)
}

/** A question of the agent as the index keeps it. */
export function questionPreview(question: string): string {
  return cutText(redact(cutText(question, 2 * MAX_QUESTION)), MAX_QUESTION).replaceAll('\0', '')
}
