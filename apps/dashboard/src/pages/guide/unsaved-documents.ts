import { whenPersonLeaves } from '../../live/person.ts'

/** What was typed into a document and neither saved nor cancelled, by its path. */
const unsaved = new Map<string, string>()

export function keepText(path: string, text: string | undefined): void {
  if (text === undefined) unsaved.delete(path)
  else unsaved.set(path, text)
}

export function keptText(path: string): string | undefined {
  return unsaved.get(path)
}

window.addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault()
})
whenPersonLeaves(() => unsaved.clear())
