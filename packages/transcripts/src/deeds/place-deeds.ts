import type { Mark } from '../dialog.ts'
import type { Deed, DeedFacts } from './deed.ts'
import { placeAct } from './deed-collector.ts'
import { pathFrom, plainFolder } from './deed-path.ts'

/** Deeds of a dialog that is read as a whole, each with where its record stands. */
export function placeDeeds(
  found: readonly { readonly at: number; readonly deeds: readonly DeedFacts[] }[],
  folder: string | undefined,
): Deed[] {
  const folders = folder === undefined ? [] : [plainFolder(folder)]
  const places = new Map<number, number>()
  return found.flatMap(({ at, deeds }) =>
    deeds.map(({ path, time, git, ...deed }) => {
      const place = places.get(at) ?? 0
      places.set(at, place + 1)
      return {
        ...deed,
        at,
        place,
        time: time ?? 0,
        ...(path === undefined ? {} : { path: pathFrom(path, folders) }),
        ...(git ? { git: git.map((act) => placeAct(act, folders)) } : {}),
      }
    }),
  )
}

/** For records that only their time puts after a request: the place of the last mark before it. */
export function placeByTime(marks: readonly Mark[], time: number): number {
  return marks.findLastIndex((mark) => (mark.time ?? 0) <= time)
}
