import { posix } from 'node:path'
import type { StoredDeed } from '../deeds/deed-store.ts'

export type Touch = 'changed' | 'read' | 'changedByHelper' | 'readByHelper' | 'asked' | 'named'

/** What each touch is worth when it has just happened. */
const WORTH: Readonly<Record<Touch, number>> = {
  changed: 60,
  read: 40,
  changedByHelper: 30,
  readByHelper: 15,
  asked: 60,
  named: 6,
}
/** So many steps later a touch is worth a third. */
const FADING_STEPS = 60
/** What never fades, as a share. */
const LASTING = 0.2

interface Seen {
  path: string
  /** The path is that of a deed, not of a text. */
  isSure: boolean
  readonly last: Partial<Record<Touch, number>>
  readonly times: Partial<Record<Touch, number>>
}

/** Which files the work is about, from what was done to them and said of them, and how long ago. */
export class FilesAtHand {
  readonly #seen = new Map<string, Seen>()
  #step = 0

  /** Time goes by: a request, an answer or a call. */
  step(): void {
    this.#step++
  }

  touch(path: string, kind: Touch): void {
    const name = posix.basename(path)
    const isSure = kind !== 'asked' && kind !== 'named'
    const seen = this.#seen.get(name) ?? { path, isSure, last: {}, times: {} }
    // The same name in two folders is rare; the longer spelling says more than a bare name.
    if (isSure || (!seen.isSure && isBetter(path, seen.path))) Object.assign(seen, { path, isSure })
    if (seen.last[kind] !== this.#step) seen.times[kind] = (seen.times[kind] ?? 0) + 1
    seen.last[kind] = this.#step
    this.#seen.set(name, seen)
  }

  /** The likeliest first. A file that nobody touched and that is not there is worth less. */
  ranked(exists: (path: string) => boolean): string[] {
    return [...this.#seen.values()]
      .map((seen) => ({ path: seen.path, worth: this.#worth(seen) }))
      .map(({ path, worth }) => ({ path, worth: exists(path) ? worth : worth / 3 }))
      .sort((a, b) => b.worth - a.worth)
      .map(({ path }) => path)
  }

  #worth({ last, times }: Seen): number {
    let worth = 0
    for (const kind of Object.keys(last) as Touch[]) {
      const ago = this.#step - (last[kind] ?? 0)
      const often = 1 + Math.log(times[kind] ?? 1)
      worth += WORTH[kind] * (Math.exp(-ago / FADING_STEPS) * often + LASTING)
    }
    return worth
  }
}

export function touchOf({ kind, isHelper }: StoredDeed): Touch | undefined {
  if (kind === 'read') return isHelper ? 'readByHelper' : 'read'
  if (kind === 'create' || kind === 'change') return isHelper ? 'changedByHelper' : 'changed'
  return undefined
}

function isBetter(path: string, than: string): boolean {
  const depth = (one: string) => one.split('/').length
  return depth(path) > depth(than) && !path.startsWith('/')
}
