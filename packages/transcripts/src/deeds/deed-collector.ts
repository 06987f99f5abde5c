import { posix } from 'node:path'
import { type Mark, type Reading, requestsOf } from '../dialog.ts'
import { endDeeds, unendedDeed } from './command-end.ts'
import type { Deed, DeedEvent, DeedFacts, GitAct, Outcome, Waiting } from './deed.ts'

/** Deeds at this place or before it stand in another file, and only their time says what they were done for. */
export const IN_ANOTHER_FILE = -1_000_000

/** Where agents put worktrees of a project inside it: a file there is the project's own, on another branch. */
const IN_WORKTREE = /^\.(?:claude\/)?worktrees\/[^/]+\//

const MAX_WAITING = 40
/** These are deeds even where they failed. */
const KEPT_WHEN_FAILED = new Set(['command', 'question', 'helper'])

type Written = { -readonly [K in keyof Deed]: Deed[K] }

/** Puts calls and their results together while a transcript is read. */
export class DeedCollector {
  readonly #done = new Set<Deed>()
  readonly #waiting = new Map<string, Deed[]>()
  /** The last look at each file since the last request: one is enough. */
  readonly #reads = new Map<string, Deed>()
  #folders: readonly string[] = []
  #folder?: string
  #spelled?: string
  #since?: number

  constructor(waiting: readonly Deed[] = [], since?: number) {
    for (const deed of waiting) this.#wait(deed)
    this.#since = since
  }

  get waiting(): Waiting {
    return this.#waiting
  }

  /** Spellings of the dialog's folder: paths inside it are kept relative to it. */
  within(folder: string | undefined, spelled: string | undefined): void {
    if (folder === this.#folder && spelled === this.#spelled) return
    this.#folder = folder
    this.#spelled = spelled
    this.#folders = [folder, spelled].flatMap((one) => (one === undefined ? [] : plainFolder(one)))
  }

  take(events: readonly DeedEvent[], at: number): void {
    for (const [place, event] of events.entries()) {
      if ('instructedAt' in event) this.#since = event.instructedAt
      else if ('ended' in event) this.#end(event.ended, event.outcome)
      else this.#begin(event.begun, event.waits === true, at, place)
    }
  }

  /** The person asked something: from here on a file counts as not yet read. */
  requestSeen(): void {
    this.#reads.clear()
  }

  finish(): { deeds: Deed[]; waiting: Deed[]; since?: number } {
    return {
      deeds: [...this.#done],
      waiting: [...this.#waiting.values()].flat(),
      since: this.#since,
    }
  }

  #begin(begun: DeedFacts, waits: boolean, at: number, place: number): void {
    // Many thousands of these are made in a scan: what the reader has just made is completed, not copied.
    const deed = begun as Written
    deed.at = at
    deed.place = place
    deed.time = begun.time ?? 0
    if (begun.path !== undefined) deed.path = pathFrom(begun.path, this.#folders)
    if (begun.git) deed.git = begun.git.map((act) => placeAct(act, this.#folders))
    if (this.#since !== undefined) deed.since = this.#since
    if (waits && deed.call !== undefined) this.#wait(deed)
    else this.#finish(unendedDeed(deed))
  }

  #wait(deed: Deed): void {
    const call = deed.call ?? ''
    this.#waiting.set(call, [...(this.#waiting.get(call) ?? []), deed])
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size <= MAX_WAITING || oldest === undefined) return
    // So many calls later its result will not come any more.
    for (const lost of this.#waiting.get(oldest) ?? [])
      if (KEPT_WHEN_FAILED.has(lost.kind)) this.#finish(unendedDeed(lost))
    this.#waiting.delete(oldest)
  }

  #end(call: string, outcome: Outcome): void {
    const begun = this.#waiting.get(call) ?? []
    this.#waiting.delete(call)
    for (const deed of endDeeds(begun, outcome)) this.#finish(deed)
  }

  #finish(deed: Deed): void {
    if (deed.kind === 'read' && deed.path !== undefined) {
      const earlier = this.#reads.get(deed.path)
      if (earlier) this.#done.delete(earlier)
      this.#reads.set(deed.path, deed)
    }
    this.#done.add(deed)
  }
}

/** Paths of a git command, spelled as those of changes are. */
export function placeAct(act: GitAct, folders: readonly string[]): GitAct {
  const spell = (path: string) =>
    folders.includes(plainFolder(path)) ? '' : pathFrom(path, folders)
  return {
    ...act,
    ...(act.folder === undefined ? {} : { folder: act.folder === '.' ? '' : spell(act.folder) }),
    ...(act.paths ? { paths: act.paths.map(spell) } : {}),
  }
}

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

/** For records that only their time puts after a request: the place of the last mark before a time. */
export function placerByTime(marks: readonly Mark[]): (time: number) => number {
  // The earliest time from each place on only grows, so that the last one that is early enough is found by halves.
  const earliest = marks.map((mark) => mark.time ?? 0)
  for (let at = earliest.length - 2; at >= 0; at--)
    earliest[at] = Math.min(earliest[at] ?? 0, earliest[at + 1] ?? 0)
  return (time) => {
    let low = 0
    let high = earliest.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((earliest[middle] ?? 0) <= time) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** Forward slashes, a small drive letter, and relative to the first folder that holds it. */
export function pathFrom(path: string, folders: readonly string[]): string {
  const spelled = isPlain(path) ? path : slashed(path)
  for (const folder of folders) {
    const sign = spelled.startsWith(folder) ? spelled[folder.length] : undefined
    if (sign === '/') return normal(spelled.slice(folder.length + 1))
    // Restored on another system: the folder has a new spelling, the rest does not.
    if (sign === '\\') return normal(spelled.slice(folder.length + 1).replaceAll('\\', '/'))
  }
  return normal(spelled)
}

/** Spelled as paths inside a folder are compared. */
function plainFolder(folder: string): string {
  return isPlain(folder) ? folder : slashed(folder)
}

function isPlain(path: string): boolean {
  return path.startsWith('/') && !path.includes('\\')
}

function normal(path: string): string {
  const plain = path.includes('./') || path.includes('//') ? posix.normalize(path) : path
  return plain.startsWith('.') ? plain.replace(IN_WORKTREE, '') : plain
}

function slashed(path: string): string {
  const forward = /^[a-z]:[\\/]|^\\\\|^[^/]*\\/i.test(path) ? path.replaceAll('\\', '/') : path
  return forward
    .replace(/^file:\/\//, '')
    .replace(/^([A-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`)
}

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
