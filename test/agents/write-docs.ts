import type { Answer } from './model/answer.ts'
import { requests } from './requests.ts'

/** What a helper is sent to do. */
export const writeDocs = { description: 'Write the docs', prompt: 'Write docs/greet.md' }

/** A helper does not see what the person asked, only what its lead tells it. */
export function isHelper(words: string): boolean {
  return words.includes(writeDocs.prompt) && !words.includes(requests[2])
}

/** The lead sends a helper, which writes; some leads wait for theirs, others go on meanwhile and are held here. */
export function sendHelper(
  send: Answer,
  write: Answer,
  report: Answer = { say: 'The file is written.' },
): Answer[] {
  let given = () => {}
  const after = new Promise<void>((resolve) => {
    given = resolve
  })
  return [
    send,
    { ...write, fits: isHelper },
    { ...report, fits: isHelper, given },
    { say: 'Written down.', after },
  ]
}
