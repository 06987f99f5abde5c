import { Failure } from '@secretary-mcp/core/failure.ts'

export const LONGEST_NAME = 30
const NAME = /^[\p{L}\p{N}_-]{1,30}$/u
const FLAG = /^[\w-]{1,100}$/

/** Keeps an agent from trying variants until one is taken. */
export const ASK = 'Show this error to the person and ask; do not try other values.'

export function requireName(name: string, what: 'category' | 'collection' | 'profile'): string {
  if (NAME.test(name) && !name.startsWith('_')) return name
  throw new Failure(
    'invalid_name',
    `A ${what} name has 1 to ${LONGEST_NAME} letters, digits, - or _: ${quoted(name)}`,
    {
      instruction: ASK,
    },
  )
}

export function isName(name: string): boolean {
  return NAME.test(name) && !name.startsWith('_')
}

export function requireFlagName(name: string): string {
  if (FLAG.test(name)) return name
  throw new Failure(
    'invalid_name',
    `A flag name has 1 to 100 letters, digits, - or _: ${quoted(name)}`,
    { instruction: ASK },
  )
}

export function requireDescription(description: string): string {
  if (description.length <= 500 && !description.includes('\0')) return description
  throw new Failure('validation_error', 'A description has at most 500 characters', {
    instruction: ASK,
  })
}

/** A caller's own words, short enough to repeat and unable to break a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
