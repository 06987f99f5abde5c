import { Failure } from '@secretary-mcp/core/failure.ts'
import { globMatcher } from '@secretary-mcp/core/glob.ts'
import { ASK, quoted } from './names.ts'

export type Matches = (path: string) => boolean

const MAX_PATTERN = 200
const MAX_STARS = 3
const MAX_COMPILED = 500

const compiled = new Map<string, Matches>()

/** Patterns are about the path in a category's folder, whatever the case; hidden files are nobody's documents. */
export function compileGlob(pattern: string): Matches {
  const known = compiled.get(pattern)
  if (known) return known
  const matches = globMatcher(pattern, { ignoreCase: true, hideDots: true, anchored: true })
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, matches)
  return matches
}

export function requirePattern(pattern: string): string {
  const fault = patternFault(pattern)
  if (fault)
    throw new Failure('invalid_pattern', `${fault}: ${quoted(pattern)}`, { instruction: ASK })
  return pattern
}

/** What is wrong with a pattern, if anything. */
export function patternFault(pattern: string): string | undefined {
  const parts = pattern.split('/')
  if (pattern.trim() === '') return 'A pattern must not be empty'
  if (pattern.length > MAX_PATTERN) return `A pattern has at most ${MAX_PATTERN} characters`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused
  if (/[\u0000-\u001f\\]/.test(pattern))
    return 'A pattern has no control characters and no backslash'
  if (pattern.startsWith('/') || pattern.startsWith('~'))
    return 'A pattern is relative to its folder'
  if (parts.includes('..')) return 'A pattern stays inside its folder'
  if (parts.filter((part) => part === '**').length > MAX_STARS)
    return `A pattern has at most ${MAX_STARS} ** parts`
  if (parts.some((part) => part !== '**' && count(part, /\*/g) > MAX_STARS)) {
    return `A pattern has at most ${MAX_STARS} stars between two slashes`
  }
  return count(pattern, /[{[]/g) > MAX_STARS
    ? `A pattern has at most ${MAX_STARS} brackets`
    : undefined
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0
}
