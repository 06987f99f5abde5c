import { type Mark, type Reading, requestsOf } from '../dialog.ts'
import type { Deed } from './deed.ts'

/** Deeds at this place or before it stand in another file, and only their time says what they were done for. */
export const IN_ANOTHER_FILE = -1_000_000

/** The number of the request that a deed was done for: the last one before it. 0 where there was none yet. */
export function positionOf(
  deed: Pick<Deed, 'at' | 'since' | 'time'>,
  requests: readonly Mark[],
  isHelper = false,
): number {
  const when = deed.since ?? deed.time
  const isBefore =
    isHelper || deed.at <= IN_ANOTHER_FILE
      ? (mark: Mark) => ((mark.given ?? mark).time ?? 0) <= when
      : // What another file holds came before; rows have no place but their order.
        (mark: Mark, place: number) =>
          mark.path !== undefined || (mark.at >= 0 ? (mark.given ?? mark).at : place) <= deed.at
  let position = 0
  for (const [place, mark] of requests.entries()) if (isBefore(mark, place)) position = place + 1
  return position
}

/** Requests with their numbers, from what the index knows of a dialog. */
export function marksOf(reading: Reading | undefined): Mark[] {
  return reading ? requestsOf(reading) : []
}
