import type { Stats } from 'node:fs'
import { isPrivateKeyFile, KEY_MARKS, linesWithKeys } from './private-keys.ts'

/** What may not be seen of a file. */
export interface KeysInFile {
  /** The file is a key: nothing of it is shown. */
  readonly isKey: boolean
  /** Lines with a part of a key, by their number from 1, each as it may be shown. */
  readonly lines: ReadonlyMap<number, string>
}

interface ReadableFile {
  readonly stats: Stats
  bytes(at: number, size: number): Buffer
}

const BLOCK = 1024 * 1024
/** Nothing is shown of what lies behind this. */
const MAX_READ = 64 * 1024 * 1024
/** A larger file with a mark of a key in it is not shown at all, rather than read as a whole. */
const MAX_DECODED = 8 * 1024 * 1024
const MAX_REMEMBERED = 500
const NO_KEYS: KeysInFile = { isKey: false, lines: new Map() }
const ALL: KeysInFile = { isKey: true, lines: new Map() }

const remembered = new Map<string, KeysInFile>()

/**
 * The one decision about the keys in a file. It is made by the whole file and holds for every way to read it: as a whole,
 * in part, or line by line as a search finds them.
 */
export function keysInFile(file: ReadableFile): KeysInFile {
  const { dev, ino, size, mtimeMs, ctimeMs } = file.stats
  const state = `${dev}/${ino}/${size}/${mtimeMs}/${ctimeMs}`
  const known = remembered.get(state)
  if (known) return known
  const keys = decide(file)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(state, keys)
  return keys
}

function decide(file: ReadableFile): KeysInFile {
  const size = Math.min(file.stats.size, MAX_READ)
  const encoding = utf16Of(file.bytes(0, 2))
  if (encoding === undefined && !hasMark(file, size)) return NO_KEYS
  if (size > MAX_DECODED) return ALL
  const text = new TextDecoder(encoding ?? 'utf-8').decode(file.bytes(0, size))
  if (isPrivateKeyFile(text)) return ALL
  const lines = linesWithKeys(text)
  return lines.size === 0 ? NO_KEYS : { isKey: false, lines }
}

function hasMark({ bytes }: ReadableFile, size: number): boolean {
  const overlap = 64
  for (let at = 0; at < size; at += BLOCK) {
    const block = bytes(at, Math.min(BLOCK + overlap, size - at))
    if (KEY_MARKS.some((mark) => block.includes(mark))) return true
  }
  return false
}

export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}
