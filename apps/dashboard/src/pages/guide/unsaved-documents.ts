import type { AnswerOf } from '../../live/api-types.ts'
import { whenPersonLeaves } from '../../live/person.ts'

interface Unsaved {
  readonly text: string
  /** The document as it was when the person began; none for a new one. */
  readonly base?: AnswerOf<'get /api/v1/guide/document'>
}

/** What was typed into a document and neither saved nor cancelled, by its path. */
const unsaved = new Map<string, Unsaved>()

export function keepText(path: string, given: Unsaved | undefined): void {
  if (given === undefined) unsaved.delete(path)
  else unsaved.set(path, given)
}

export function keptText(path: string): Unsaved | undefined {
  return unsaved.get(path)
}

window.addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault()
})
whenPersonLeaves(() => unsaved.clear())
