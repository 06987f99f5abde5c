import type { Stats } from 'node:fs'

/** What was written just before it was read may change again without a new time stamp. */
const SETTLED_AFTER_MS = 50

export function isSettled({ mtimeMs }: Stats): boolean {
  return Date.now() - mtimeMs > SETTLED_AFTER_MS
}

/** Tells two states of a file or folder apart. */
export function stampOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs}:${ctimeMs}:${size}:${ino}`
}
