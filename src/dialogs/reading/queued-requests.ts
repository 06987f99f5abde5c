import type { Mark } from '../dialog.ts'
import { previewOf } from '../preview.ts'

/** The agent was given the request with these words, or the one that waited longest; or all that wait were taken back. */
export function leaveQueue(marks: Mark[], how: 'given' | 'emptied', words?: string): void {
  const isNext = ({ queued, preview }: Mark) =>
    queued === 'waits' && (words === undefined || isSame(preview, previewOf(words)))
  if (how === 'emptied') {
    marks.splice(0, marks.length, ...marks.filter(({ queued }) => queued !== 'waits'))
    return
  }
  const place = marks.findIndex(isNext)
  const mark = marks[place]
  if (mark) marks[place] = { ...mark, queued: 'given' }
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
