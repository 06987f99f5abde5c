import type { Mark } from '../dialog.ts'
import { previewOf } from '../preview.ts'

/** The agent was given the request with these words, or it was taken back; without words, the one that waited longest. */
export function leaveQueue(marks: Mark[], how: 'given' | 'dropped', words?: string): void {
  const place = marks.findIndex(
    ({ queued, preview }) =>
      queued === 'waits' && (words === undefined || isSame(preview, previewOf(words))),
  )
  const mark = marks[place]
  if (!mark) return
  if (how === 'given') marks[place] = { ...mark, queued: 'given' }
  else marks.splice(place, 1)
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
