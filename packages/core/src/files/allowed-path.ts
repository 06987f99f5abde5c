import { isNeverShown } from './excluded-paths.ts'
import { pathFailure } from './path-failure.ts'

const MOST_DECODINGS = 4
/** No system has longer paths; what cannot be there is not read any further. */
const MAX_PATH = 4_096

/**
 * Refuses what must not be read by its name alone, before the disk is touched: so that the answer tells nothing about it.
 * Every spelling counts under which some system would understand the name: percent-encoded, with backslashes, in full-width signs.
 */
export function requireAllowedPath(path: string): void {
  if (path.length > MAX_PATH) throw pathFailure('File not found', path)
  const spellings = spellingsOf(path)
  if (spellings.some(isAbsolute)) throw pathFailure('Absolute paths not allowed', path)
  if (spellings.some((spelling) => segmentsOf(spelling).some((segment) => segment.trim() === '..')))
    throw pathFailure('Path traversal not allowed', path)
  if (spellings.some(isNeverShown)) throw pathFailure('Permission denied', path)
  if (path.includes('\0')) throw pathFailure('File not found', path)
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
