import type * as z from 'zod'

const NOUNS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'a map',
}

/** Our words for what zod found, where the argument's own schema has none. They reach a prompt: short, and naming the argument. */
export function argumentError(issue: z.core.$ZodRawIssue): string | undefined {
  const name = issue.path?.length ? issue.path.join('.') : 'arguments'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is required`
        : `${name} must be ${NOUNS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `${name} must be ${bound(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `${name} must be ${bound(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_value':
      return `${name} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'unrecognized_keys':
      return `Unknown argument: ${issue.keys.map((key) => key.slice(0, 80)).join(', ')}`
    case 'invalid_union':
      return `${name} has an invalid value`
    default:
      return undefined
  }
}

function bound(origin: string, words: string, limit: number | bigint): string {
  if (origin === 'string') return `${words} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `${words} ${limit} ${limit === 1 ? 'item' : 'items'} long`
  return `${words} ${limit}`
}
