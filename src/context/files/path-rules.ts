import { pathFailure } from './path-failure.ts'

const DENIED_FOLDERS = new Set(['.git', 'node_modules'])
/** Characters that some file systems ignore when they compare names. */
const IGNORED_CHARACTERS = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g
const MOST_DECODINGS = 4

/**
 * Refuses what must not be read by its name alone, before the disk is touched: so that the answer tells nothing about it.
 * Every spelling counts under which some system would understand the name: percent-encoded, with backslashes, in full-width signs.
 */
export function requireAllowedPath(path: string): void {
  const spellings = spellingsOf(path)
  if (spellings.some(isAbsolute)) throw pathFailure('Absolute paths not allowed', path)
  if (spellings.some((spelling) => segmentsOf(spelling).some((segment) => segment.trim() === '..')))
    throw pathFailure('Path traversal not allowed', path)
  if (spellings.some(isDeniedPath)) throw pathFailure('Permission denied', path)
  if (path.includes('\0')) throw pathFailure('File not found', path)
}

/** Whole segments are compared: `.gitignore`, `.github` and `app.environment.ts` are not meant. */
export function isDeniedPath(path: string): boolean {
  return segmentsOf(path).map(plainName).some(isDeniedName)
}

function isDeniedName(name: string): boolean {
  return DENIED_FOLDERS.has(name) || name.startsWith('.env')
}

/** As a file system without case, or one that drops trailing dots and stream names, would see it. */
function plainName(segment: string): string {
  const plain = segment.replace(IGNORED_CHARACTERS, '').toLowerCase().replace(/:.*$/, '')
  return plain.replace(/[. ]+$/, '')
}

function isAbsolute(path: string): boolean {
  return /^\s*([/\\]|[a-z]:|file:)/i.test(path)
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/)
}

function spellingsOf(path: string): string[] {
  const spellings = new Set([path, path.normalize('NFKC')])
  let current = path
  for (let round = 0; round < MOST_DECODINGS; round++) {
    const next = decoded(current)
    if (next === current) break
    spellings.add(next).add(next.normalize('NFKC'))
    current = next
  }
  return [...spellings]
}

/** Byte by byte, with the overlong forms that lenient decoders take for a dot or a slash. */
function decoded(path: string): string {
  return path
    .replace(/%c0%ae|%e0%80%ae|%u002e/gi, '.')
    .replace(/%c0%af|%e0%80%af|%u002f|%c1%9c|%u005c/gi, '/')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
