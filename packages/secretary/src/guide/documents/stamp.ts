import { type Stats, statSync } from 'node:fs'

/** What was written just before it was looked at may change again without a new time stamp. */
const SETTLED_AFTER_MS = 50

/** `lookedAt` is a time before the look: a process that had to wait after it must not take that for peace. */
export function isSettled({ mtimeMs }: Stats, lookedAt: number): boolean {
  return lookedAt - mtimeMs > SETTLED_AFTER_MS
}

/** Tells two states of a file or folder apart. */
export function stampOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs}:${ctimeMs}:${size}:${ino}`
}

/** Empty where it is gone or may not be looked at. */
export function stampAt(path: string): string {
  try {
    return stampOf(statSync(path))
  } catch {
    return ''
  }
}
