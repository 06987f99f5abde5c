import type { Mark } from '../dialog.ts'
import { previewOf } from '@secretary-mcp/secretary/dialogs/redacted-preview.ts'

/** The agent was given the request with these words; without words, the one that waited longest. */
export function giveQueued(
  marks: Mark[],
  words: string | undefined,
  given: NonNullable<Mark['given']>,
): void {
  const place = waitingAt(marks, words)
  const mark = marks[place]
  if (mark) marks[place] = { ...mark, queued: 'given', given }
}

/** The request with these words was taken back; without words, everything that waits. */
export function takeQueuedBack(marks: Mark[], words: string | undefined): void {
  if (words !== undefined) {
    const place = waitingAt(marks, words)
    if (place !== -1) marks.splice(place, 1)
    return
  }
  for (let place = marks.length - 1; place >= 0; place--)
    if (marks[place]?.queued === 'waits') marks.splice(place, 1)
}

function waitingAt(marks: readonly Mark[], words: string | undefined): number {
  return marks.findIndex(
    ({ queued, preview }) =>
      queued === 'waits' && (words === undefined || isSame(preview, previewOf(words))),
  )
}

/** A record of its own replaces what the queue said, so that nothing counts twice. */
export function dropQueued(marks: Mark[], preview: string, fromQueue = false): void {
  const place = marks.findLastIndex(
    (mark) =>
      (mark.queued === 'waits' || (mark.queued === 'given' && fromQueue)) &&
      isSame(mark.preview, preview),
  )
  if (place !== -1) marks.splice(place, 1)
}

function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  return plain(one) === plain(other)
}
