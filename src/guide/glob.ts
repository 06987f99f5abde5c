import type picomatch from 'picomatch'
import { Failure } from '../core/failure.ts'
import { ASK, quoted } from './names.ts'

export type Matches = (path: string) => boolean

const LONGEST_PATTERN = 200
const MOST_STARS = 3
const MOST_COMPILED = 500

let load: Promise<typeof picomatch> | undefined
const compiled = new Map<string, Matches>()

export interface Globs {
  /** For patterns that `requirePattern` has seen. */
  compile(pattern: string): Matches
}

/** The matcher loads on first use. */
export async function loadGlobs(): Promise<Globs> {
  load ??= import('picomatch').then((module) => module.default)
  const match = await load
  return {
    compile(pattern) {
      const known = compiled.get(pattern)
      if (known) return known
      // Extended globs could make one short pattern run for hours; so could many stars in one part.
      const matches = match(pattern, {
        nocase: true,
        noextglob: true,
        dot: false,
        strictSlashes: true,
      })
      if (compiled.size >= MOST_COMPILED) compiled.clear()
      compiled.set(pattern, matches)
      return matches
    },
  }
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
  if (pattern.length > LONGEST_PATTERN) return `A pattern has at most ${LONGEST_PATTERN} characters`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused
  if (/[\u0000-\u001f\\]/.test(pattern))
    return 'A pattern has no control characters and no backslash'
  if (pattern.startsWith('/') || pattern.startsWith('~'))
    return 'A pattern is relative to its folder'
  if (parts.includes('..')) return 'A pattern stays inside its folder'
  if (parts.filter((part) => part === '**').length > MOST_STARS)
    return `A pattern has at most ${MOST_STARS} parts **`
  if (parts.some((part) => part !== '**' && count(part, /\*/g) > MOST_STARS)) {
    return `A pattern has at most ${MOST_STARS} stars between two slashes`
  }
  return count(pattern, /[{[]/g) > MOST_STARS
    ? `A pattern has at most ${MOST_STARS} brackets`
    : undefined
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0
}
